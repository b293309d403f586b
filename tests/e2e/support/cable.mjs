// A network between a browser and a server that can be taken away: everything on its way is lost, and nothing new gets through.
import { connect, createServer } from 'node:net'
import { atEnd } from './endings.mjs'

/** A cable to a port of this machine: what connects to `port` reaches it, until it is cut. */
export async function layCable(test, to) {
  const open = new Set()
  let whole = true
  const server = createServer((near) => {
    if (!whole) return near.destroy()
    const far = connect(to, '127.0.0.1')
    const end = () => {
      near.destroy()
      far.destroy()
      open.delete(end)
    }
    open.add(end)
    for (const side of [near, far]) side.on('error', end).on('close', end)
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const cut = () => {
    whole = false
    for (const end of open) end()
  }
  atEnd(test, () => {
    cut()
    server.close()
  })
  return { port: server.address().port, cut, mend: () => { whole = true } }
}
