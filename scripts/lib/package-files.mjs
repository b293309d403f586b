// The files that a package has beside what src-tauri/tauri.package.json lists, as configuration of the bundler.
// Usage: node scripts/lib/package-files.mjs PROGRAM PAGES     PAGES: what `honinbo pages` wrote, the manual pages packed.
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where the completions of zsh lie, by the kind of package. */
const ZSH = { deb: '/usr/share/zsh/vendor-completions', rpm: '/usr/share/zsh/site-functions' }

export function packageFiles(program, pages) {
  const completions = join(resolve(pages), 'completions')
  const linux = {}
  for (const [kind, zsh] of Object.entries(ZSH)) {
    const files = {
      '/usr/bin/honinbo': resolve(program),
      '/usr/share/mime/packages/honinbo.xml': join(resolve(pages), 'mime.xml'),
      '/usr/share/bash-completion/completions/honinbo': join(completions, 'honinbo.bash'),
      [`${zsh}/_honinbo`]: join(completions, '_honinbo'),
      '/usr/share/fish/vendor_completions.d/honinbo.fish': join(completions, 'honinbo.fish'),
    }
    for (const page of readdirSync(join(pages, 'man1')).sort()) files[`/usr/share/man/man1/${page}`] = join(resolve(pages), 'man1', page)
    linux[kind] = { files }
  }
  return { bundle: { linux } }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [program, pages] = process.argv.slice(2)
  process.stdout.write(JSON.stringify(packageFiles(program, pages)))
}
