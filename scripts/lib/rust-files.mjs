// Which files of a crate need which, read from the paths in their code.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Code without comments, and without the tests at its end. */
export function codeOf(text) {
  return text.split(/^#\[cfg\(test\)\]\n(?:#\[.*\n)*mod \w+ \{/m)[0].replace(/^\s*\/\/.*$|\s\/\/ .*$/gm, '')
}

/** The files under a `src` by the path of their module, `''` for `lib.rs`, each with its code. */
export function modulesOf(src) {
  const files = readdirSync(src, { recursive: true }).filter((name) => name.endsWith('.rs'))
  return new Map(files.map((name) => {
    const parts = name.replaceAll('\\', '/').slice(0, -3).split('/')
    if (['lib', 'main', 'mod'].includes(parts.at(-1))) parts.pop()
    return [parts.join('::'), codeOf(readFileSync(join(src, name), 'utf8'))]
  }))
}

/** The paths of a `use` tree: each with the name that it is known by afterwards. */
function pathsOf(tree, before = []) {
  const parts = []
  let [depth, begun] = [0, 0]
  for (let at = 0; at <= tree.length; at++) {
    if (tree[at] === '{') depth++
    if (tree[at] === '}') depth--
    if (at === tree.length || (tree[at] === ',' && depth === 0)) {
      parts.push(tree.slice(begun, at).trim())
      begun = at + 1
    }
  }
  return parts.filter(Boolean).flatMap((part) => {
    const brace = part.indexOf('{')
    if (brace >= 0) {
      const outer = part.slice(0, brace).split('::').map((name) => name.trim()).filter(Boolean)
      return pathsOf(part.slice(brace + 1, part.lastIndexOf('}')), [...before, ...outer])
    }
    const [path, alias] = part.split(/\s+as\s+/)
    const names = [...before, ...path.split('::').map((name) => name.trim())]
    if (names.at(-1) === 'self') names.pop()
    return [{ path: names, name: alias ?? names.at(-1) }]
  })
}

/**
 * The modules that each module needs, by `crate::`, `super::`, `self::` and the modules within it.
 * A name that a module only hands on is needed from where it is defined.
 */
export function needsOf(modules) {
  const imports = new Map()
  const mentions = new Map()
  for (const [module, code] of modules) {
    const visible = /^\s*(pub(?:\([\w :]+\))?\s+)?use\s+([^;]+);/gm
    const used = [...code.matchAll(visible)].flatMap((found) => pathsOf(found[2]).map((one) => ({ ...one, shared: !!found[1] })))
    imports.set(module, new Map(used.map((one) => [one.name, one.path])))
    const body = code.replace(visible, '').replace(/\bpub\([^)]*\)/g, '')
    const inline = [...body.matchAll(/(?<![\w:])(\w+(?:::\w+)+)/g)].map((found) => found[1].split('::'))
    mentions.set(module, [...used.filter((one) => !one.shared).map((one) => one.path), ...inline])
  }
  const childOf = (module, name) => (module === '' ? name : `${module}::${name}`)
  const parentOf = (module) => module.split('::').slice(0, -1).join('::')
  /** The module whose name a path in `module` leads to; `undefined` for another crate's, and for a module itself. */
  const lead = (module, [first, ...rest], seen = new Set()) => {
    let at
    if (first === 'crate') at = ''
    else if (first === 'self') at = module
    else if (first === 'super') at = parentOf(module)
    else if (modules.has(childOf(module, first))) at = childOf(module, first)
    else return follow(module, [first, ...rest], seen)
    while (rest[0] === 'super') {
      at = parentOf(at)
      rest.shift()
    }
    while (rest.length && modules.has(childOf(at, rest[0]))) at = childOf(at, rest.shift())
    return rest.length ? (follow(at, rest, seen) ?? at) : undefined
  }
  /** Where a name that a module has from elsewhere leads to. */
  const follow = (module, [first, ...rest], seen) => {
    const known = imports.get(module)?.get(first)
    const key = `${module} ${first}`
    return known && !seen.has(key) ? lead(module, [...known, ...rest], seen.add(key)) : undefined
  }
  return new Map([...modules.keys()].map((module) => {
    const needed = new Set(mentions.get(module).map((path) => lead(module, path)).filter((one) => one !== undefined))
    needed.delete(module)
    return [module, needed]
  }))
}

/** Groups of names that need each other in a circle, each in order. */
export function circlesIn(needs) {
  const reach = (start) => {
    const found = new Set()
    const open = [start]
    while (open.length) {
      for (const next of needs.get(open.pop()) ?? []) {
        if (!found.has(next)) {
          found.add(next)
          open.push(next)
        }
      }
    }
    return found
  }
  const reached = new Map([...needs.keys()].map((name) => [name, reach(name)]))
  const groups = new Map()
  for (const [name, others] of reached) {
    if (!others.has(name)) continue
    const group = [...others].filter((other) => reached.get(other)?.has(name)).sort()
    groups.set(group.join(' '), group)
  }
  return [...groups.values()]
}
