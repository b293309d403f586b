// What the folder of the Windows package must hold, and the kinds of records that its installer associates.
// Usage: node windows-files.mjs FOLDER     fails and names what is missing or empty
//        node windows-files.mjs --kinds    prints the macro EachKind for the installer
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const FILES = [
  'honinbo.exe', 'honinbo-app.exe', 'WebView2Loader.dll',
  'msvcp140.dll', 'msvcp140_1.dll', 'vcruntime140.dll', 'vcruntime140_1.dll', 'dxcompiler.dll', 'dxil.dll',
  'resources/onnxruntime/onnxruntime.dll', 'resources/onnxruntime/onnxruntime_providers_webgpu.dll',
  'resources/onnxruntime/LICENSE', 'resources/onnxruntime/ThirdPartyNotices.txt',
  'resources/onnxruntime/LICENSE.webgpu', 'resources/onnxruntime/ThirdPartyNotices.webgpu.txt',
  'resources/networks/b10c384h6nbttflrs.bin.gz', 'resources/networks/LICENSE.katrain',
  'resources/networks/g170-b6c96-s175395328-d26788732.bin.gz', 'resources/networks/LICENSE.katago',
  'resources/networks/honinbo-torus9-b6c96.bin.gz',
  'resources/networks/pupils/pupil-1.bin.gz', 'resources/networks/pupils/pupil-5.bin.gz',
  'resources/web/index.html', 'resources/licences/LICENSE-MIT', 'resources/licences/LICENSE-APACHE',
  'resources/licences/THIRD-PARTY-NOTICES.txt', 'resources/licences/LICENSE.msvc-runtime',
]

/** Those of `FILES` that a folder lacks, or that are empty. */
export function missing(folder) {
  return FILES.filter((file) => {
    const found = statSync(join(folder, file), { throwIfNoEntry: false })
    return !found?.isFile() || found.size === 0
  })
}

/** Endings of the records that the program opens, from the table of formats as the bindings have it. */
export function kinds() {
  const bindings = readFileSync(join(import.meta.dirname, '../../ui/src/api/bindings.ts'), 'utf8')
  return [...bindings.matchAll(/extensions: \["(\w+)".*?\], mimeType: "application\/x-go-/g)].map(([, extension]) => extension)
}

/** A macro that does something with each of them. */
export function eachKind(extensions) {
  const lines = extensions.map((extension) => `  !insertmacro \${do} "${extension}"\n`)
  return `!macro EachKind do\n${lines.join('')}!macroend\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv[2] === '--kinds') {
    process.stdout.write(eachKind(kinds()))
  } else {
    const lacks = missing(process.argv[2])
    for (const file of lacks) console.error(`error: the package lacks ${file}`)
    process.exitCode = lacks.length > 0 ? 1 : 0
  }
}
