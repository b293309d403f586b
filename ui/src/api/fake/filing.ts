import type { EditRecords, RecordFilter, RecordGroup } from '../bindings'

/** Folders and tags of the records in memory. */
export interface FakeFiling {
  /** Everything as it is now; calling it brings that back. */
  remember(): () => void
  of(id: string): { folder: string, tags: string[] }
  edit(change: EditRecords): void
  /** Whether a record is in the folder and has the tag that a filter names. */
  meets(id: string, filter: RecordFilter): boolean
  /** `present` tells records of the library from those in the bin. */
  folders(present: (id: string) => boolean): RecordGroup[]
  tags(present: (id: string) => boolean): RecordGroup[]
}

const within = (folder: string, outer: string): boolean => folder === outer || folder.startsWith(`${outer}/`)
const inOrder = (groups: Map<string, number>): RecordGroup[] => [...groups].map(([name, games]) => ({ name, games })).sort((a, b) => a.name < b.name ? -1 : 1)

export function createFakeFiling(): FakeFiling {
  const filed = new Map<string, { folder: string, tags: string[] }>([
    ['r0', { folder: 'openings', tags: ['study'] }], ['r1', { folder: 'openings/sanrensei', tags: [] }], ['r2', { folder: '', tags: ['study'] }],
  ])
  // A folder stays when its last record leaves it; a tag is gone with the last one that has it.
  const known = new Set([...filed.values()].map(({ folder }) => folder).filter(Boolean))
  const of = (id: string): { folder: string, tags: string[] } => filed.get(id) ?? { folder: '', tags: [] }
  return {
    remember() {
      const filedThen = new Map(filed)
      const knownThen = new Set(known)
      return () => {
        filed.clear()
        for (const [id, place] of filedThen) filed.set(id, place)
        known.clear()
        for (const name of knownThen) known.add(name)
      }
    },
    of,
    edit({ ids, folder, addTags = [], removeTags = [] }) {
      for (const id of ids) {
        const before = of(id)
        const tags = [...new Set([...before.tags, ...addTags])].filter(tag => !removeTags.includes(tag)).sort()
        filed.set(id, { folder: folder ?? before.folder, tags })
      }
      if (folder) known.add(folder)
    },
    meets: (id, { folder = '', tag = '' }) => (folder === '' || within(of(id).folder, folder)) && (tag === '' || of(id).tags.includes(tag)),
    folders(present) {
      const groups = new Map([...known].map(name => [name, 0]))
      for (const [id, { folder }] of filed) if (folder && present(id)) groups.set(folder, (groups.get(folder) ?? 0) + 1)
      return inOrder(groups)
    },
    tags(present) {
      const groups = new Map<string, number>()
      for (const [id, { tags }] of filed) for (const tag of tags) if (present(id)) groups.set(tag, (groups.get(tag) ?? 0) + 1)
      return inOrder(groups)
    },
  }
}
