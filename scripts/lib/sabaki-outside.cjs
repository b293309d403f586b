// What Sabaki's window asks of Electron and of Node, in a browser's page: settings that stay in the page, no files, and
// programs that the page's owner starts (`startProgram`, `writeToProgram`), who says what becomes of them (`fromProgram`).
const EventEmitter = require('events')
const path = require('path')
const languages = require('@sabaki/i18n/index.json')

/** Every name leads to more of them, and each may be called. */
const nothing = new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : name === '__esModule' ? undefined : nothing),
  apply: () => nothing,
})

const programs = []
function spawn(file, args) {
  const streams = Object.fromEntries(['stdout', 'stderr'].map((name) => [name, Object.assign(new EventEmitter(), { destroy() {} })]))
  const id = programs.length
  const stdin = { write: (text) => void window.writeToProgram(id, text), destroy() {} }
  programs.push(Object.assign(new EventEmitter(), streams, { stdin, kill: () => window.writeToProgram(id, null) }))
  window.startProgram(id, file, args)
  return programs[id]
}
window.fromProgram = (id, stream, text) => {
  if (stream === 'exit') programs[id].emit('exit', text)
  else programs[id][stream].emit('data', text)
}

const answers = { 'setting:getAllSync': window.settings, 'setting:getPathsSync': { themes: {} }, 'app:getName': 'Sabaki' }
const ipcRenderer = Object.assign(new EventEmitter(), {
  invoke: async (channel) => answers[channel],
  send() {},
  sendSync: (channel) => answers[channel],
})
const absent = () => {
  throw new Error('no files')
}
const modules = {
  child_process: { spawn },
  electron: { ipcRenderer },
  events: EventEmitter,
  fs: { existsSync: () => false, readFileSync: absent, statSync: absent },
  path,
  '@sabaki/i18n': languages,
}
window.require = (name) => modules[name] ?? nothing
module.exports = window.require
