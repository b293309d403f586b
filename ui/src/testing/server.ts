import type { TestProject } from 'vitest/node'
import { startTestServer } from './program.mjs'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The control port of the test server. */
    testServer: number
  }
}

/** Starts the back end that all tests share; each opens an app of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { port, end } = await startTestServer()
  project.provide('testServer', port)
  return end
}
