// What the folder of the Windows package must hold.
// Usage: node windows-files.mjs FOLDER     fails and names what is missing or empty
import { statSync } from 'node:fs'
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
  'resources/web/index.html', 'resources/licences/LICENSE-MIT', 'resources/licences/LICENSE-APACHE',
  'resources/licences/THIRD-PARTY-NOTICES.txt',
]

/** Those of `FILES` that a folder lacks, or that are empty. */
export function missing(folder) {
  return FILES.filter((file) => {
    const found = statSync(join(folder, file), { throwIfNoEntry: false })
    return !found?.isFile() || found.size === 0
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lacks = missing(process.argv[2])
  for (const file of lacks) console.error(`error: the package lacks ${file}`)
  process.exitCode = lacks.length > 0 ? 1 : 0
}
