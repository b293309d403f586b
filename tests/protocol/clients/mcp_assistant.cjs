// The official TypeScript SDK of the Model Context Protocol uses our tools as an assistant does.
//
// Usage: mcp_assistant.cjs RECORD ENGINE ARG... (with @modelcontextprotocol/sdk on NODE_PATH)
// Prints one JSON object: what the SDK made of the answers.
const { readFileSync } = require('node:fs')
const { Client } = require('@modelcontextprotocol/sdk/client/index.js')
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js')

const [record, command, ...args] = process.argv.slice(2)
const sgf = readFileSync(record, 'utf8')

async function main() {
  const transport = new StdioClientTransport({ command, args, env: process.env, stderr: 'inherit' })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const found = { server: client.getServerVersion(), instructions: client.getInstructions() }
  const { tools } = await client.listTools()
  found.tools = tools.map(({ name, inputSchema, annotations }) => ({ name, type: inputSchema.type, readOnly: annotations.readOnlyHint }))
  const use = async (name, args = {}) => {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: args })
    return isError ? { failure: content[0].text } : structuredContent
  }
  found.shown = await use('show_position', { moves: ['D4', 'C3'], size: 9 })
  found.analysed = await use('analyze_position', { moves: ['D4', 'F6'], size: 9, visits: 20, ownership: true })
  found.saved = await use('save_game', { sgf })
  found.again = await use('save_game', { sgf })
  found.figures = await use('library_figures')
  found.listed = await use('search_library', { player: 'Shusaku' })
  found.game = await use('get_game', { id: found.saved.id })
  found.position = await use('find_position', { sgf, after: 1 })
  found.reviewed = await use('review_game', { sgf: '(;SZ[5]KM[7.5];B[cc];W[aa];B[bb])', visits: 4 })
  found.refused = await Promise.all([
    use('show_position', { moves: ['D4', 'D4'], size: 9 }),
    use('show_position', { sgf: 'no record' }),
    use('get_game', { id: '4711' }),
  ])
  try {
    await client.callTool({ name: 'launch_rocket', arguments: {} })
  } catch (error) {
    found.unknown = error.message
  }
  // A long search is ended by whoever asked for it, and the server goes on.
  const ended = new AbortController()
  const long = client.callTool({ name: 'analyze_position', arguments: { moves: [], size: 19, visits: 100000 } }, undefined, { signal: ended.signal })
  setTimeout(() => ended.abort('enough'), 500)
  found.ended = await long.then(() => 'answered', () => 'ended')
  found.after = await use('library_figures')
  await client.close()
  console.log(JSON.stringify(found))
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
