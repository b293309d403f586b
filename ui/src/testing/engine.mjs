// The smallest engine that speaks GTP: it answers what is asked of every engine, and plays where the board has its middle.
import { createInterface } from 'node:readline'

const ANSWERS = {
  name: 'smallest', version: '1', protocol_version: '2', genmove: 'E5',
  list_commands: 'protocol_version\nname\nversion\nlist_commands\nquit\nboardsize\nclear_board\nkomi\nplay\ngenmove',
}
for await (const line of createInterface(process.stdin)) {
  const [, id = '', command] = /^(\d*)\s*(\S+)/.exec(line) ?? []
  if (!command) continue
  process.stdout.write(`=${id} ${ANSWERS[command] ?? ''}\n\n`)
  if (command === 'quit') break
}
