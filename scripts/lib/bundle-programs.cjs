// Makes one file of gtp2ogs, one of Sabaki's engine modules and one of its window, as `scripts/clients programs` wants them.
//
// Usage: bundle-programs.cjs FOLDER, with esbuild and what the programs need on NODE_PATH
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const esbuild = require('esbuild')

const folder = process.argv[2]
const sources = join(folder, 'sources')
const common = { bundle: true, platform: 'node', format: 'cjs', logLevel: 'error', nodePaths: (process.env.NODE_PATH ?? '').split(':') }

/** gtp2ogs is written for TypeScript's own way with modules that are functions. */
const callable = {
  name: 'callable',
  setup(build) {
    build.onLoad({ filter: /gtp2ogs[/\\]src[/\\].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/import \* as (\w+) from ("[a-z0-9]+");/gi, 'import $1 = require($2);'),
      loader: 'ts',
    }))
  },
}

/** Sabaki's modules without its window: settings are the usual ones, texts are English. */
const windowless = {
  name: 'windowless',
  setup(build) {
    build.onLoad({ filter: /Sabaki[/\\]src[/\\]i18n\.js$/ }, () => ({
      contents: 'export default { context: () => text => typeof text === "function" ? "" : text }', loader: 'js',
    }))
    build.onLoad({ filter: /Sabaki[/\\]src[/\\]modules[/\\]sabaki\.js$/ }, () => ({ contents: 'export default {}', loader: 'js' }))
    build.onResolve({ filter: /^electron$/ }, () => ({ path: 'electron', namespace: 'none' }))
    build.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export const ipcRenderer = { on() {}, send() {} }' }))
  },
}

/** Sabaki's window in a browser: whatever is Electron's or Node's comes from sabaki-outside.cjs. */
const outside = {
  name: 'outside',
  setup(build) {
    const names = /^(child_process|electron|fix-path|fs|iconv-lite|os|rimraf|winston|@sabaki\/i18n)$/
    build.onResolve({ filter: names }, ({ path }) => ({ path, namespace: 'outside' }))
    build.onLoad({ filter: /.*/, namespace: 'outside' }, ({ path }) => ({ contents: `module.exports = window.require('${path}')` }))
  },
}

async function main() {
  await esbuild.build({
    ...common,
    entryPoints: [join(sources, 'gtp2ogs/src/main.ts')],
    outfile: join(folder, 'gtp2ogs.cjs'),
    alias: {
      'goban-engine': join(sources, 'goban/src/engine/index.ts'),
      'goscorer': join(sources, 'goban/src/third_party/goscorer/goscorer.mjs'),
    },
    define: { CLIENT: 'false', SERVER: 'false' },
    // Its own first lines, which a bundle would run too late.
    banner: { js: 'globalThis.WebSocket = require("ws").WebSocket;' },
    external: ['ws'],
    plugins: [callable],
  })
  await esbuild.build({
    ...common,
    stdin: {
      contents: `export { default as EngineSyncer } from './enginesyncer.js'
        export { new as newTree } from './gametree.js'`,
      resolveDir: join(sources, 'Sabaki/src/modules'),
    },
    outfile: join(folder, 'sabaki.cjs'),
    banner: { js: 'globalThis.window = { sabaki: { setting: { get: () => 3000 } } };' },
    plugins: [windowless],
  })
  await esbuild.build({
    ...common,
    platform: 'browser',
    format: 'iife',
    stdin: {
      contents: `import ${JSON.stringify(join(__dirname, 'sabaki-outside.cjs'))}
        import './preload.js'
        import './components/App.js'`,
      resolveDir: join(sources, 'Sabaki/src'),
    },
    // Where its page looks for it.
    outfile: join(sources, 'Sabaki/bundle.js'),
    alias: {
      'path': 'path-browserify',
      'react': 'preact/compat',
      'react-dom': 'preact/compat',
      'react/jsx-runtime': 'preact/jsx-runtime',
    },
    banner: { js: `globalThis.process = { platform: 'linux', env: { SABAKI_E2E: '1' }, versions: {}, cwd: () => '/' };` },
    plugins: [outside],
  })
}

main().catch((error) => {
  console.error(error.message)
  process.exit(1)
})
