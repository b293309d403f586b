// A zip archive in memory, stored without compression.
import { crc32 } from 'node:zlib'

/** `files` are `{ name, text }`; a folder is a part of the name. */
export function zipOf(files) {
  const bodies = []
  const directory = []
  let offset = 0
  for (const { name, text } of files) {
    const path = Buffer.from(name)
    const content = Buffer.from(text)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0) // the version that is needed
    facts.writeUInt16LE(0x0800, 2) // names are UTF-8
    facts.writeUInt16LE(0x5821, 8) // 2024-01-01
    facts.writeUInt32LE(crc32(content), 10)
    facts.writeUInt32LE(content.length, 14)
    facts.writeUInt32LE(content.length, 18)
    facts.writeUInt16LE(path.length, 22)
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), facts, path, content])
    const where = Buffer.alloc(14)
    where.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), facts, where, path]))
    bodies.push(body)
    offset += body.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, listed, end])
}
