// A session bus, as a desktop has.
import { spawn } from 'node:child_process'
import { atEnd } from './endings.mjs'
import { stop } from './programs.mjs'

/** A session bus of its own; answers with its address. */
export function startBus(t) {
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], { stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(t, () => stop(bus))
  return new Promise((resolve, reject) => {
    bus.on('error', reject)
    bus.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
  })
}

/** What goes over a bus by this rule, as text that grows. */
export async function listenToBus(t, address, rule) {
  const monitor = spawn('dbus-monitor', ['--address', address, rule], { stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(t, () => stop(monitor))
  let heard = ''
  await new Promise((resolve, reject) => {
    monitor.on('error', reject)
    // Its first words say that it listens.
    monitor.stdout.once('data', resolve)
    monitor.stdout.on('data', (chunk) => { heard += chunk })
  })
  return () => heard
}
