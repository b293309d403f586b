// Follows the links of the documents. Answers with what is wrong, one sentence each; nothing when all is well.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

/** The name that GitHub and mdBook give a heading in an address. */
export function anchorOf(heading) {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '').trim().toLowerCase()
  return words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
}

/** A document without its blocks of code. */
function prose(text) {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
}

function anchors(text) {
  const named = [...prose(text).matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, name]) => name)
  const words = heading => heading.replace(/<a id="[^"]+"><\/a>/g, '')
  return new Set([...named, ...[...prose(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading]) => anchorOf(words(heading)))])
}

/** Where a document's links lead, as they are written; addresses of other sites are left out. */
export function links(text) {
  const found = prose(text).replace(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)
  return [...found].map(([, target]) => target).filter(target => !/^[a-z]+:/.test(target))
}

export function problems(root) {
  const found = []
  const pagesIn = (folder, recursive) =>
    readdirSync(join(root, folder), { recursive }).map(file => normalize(join(folder, file))).filter(file => file.endsWith('.md'))
  const book = pagesIn('docs', true)
  const read = file => readFileSync(join(root, file), 'utf8')
  for (const file of [...pagesIn('.', false), ...book]) {
    const text = read(file)
    for (const link of links(text)) {
      const [path, anchor] = link.split('#')
      const target = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)))
      if (!existsSync(join(root, target))) found.push(`${file}: nothing is at ${link}`)
      else if (anchor !== undefined && !anchors(read(target)).has(anchor)) found.push(`${file}: ${link} names no heading`)
      else if (file.startsWith('docs') && (!target.startsWith('docs') || statSync(join(root, target)).isDirectory())) {
        found.push(`${file}: ${link} is no page of the site`)
      }
    }
  }
  const summary = normalize('docs/SUMMARY.md')
  const listed = links(read(summary)).map(link => normalize(join('docs', link)))
  for (const page of book) {
    const count = listed.filter(one => one === page).length
    if (page !== summary && count !== 1) found.push(`${relative('docs', page)} is listed ${count} times in ${summary}`)
  }
  return found
}
