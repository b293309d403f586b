import { availableParallelism } from 'node:os'
import { fileURLToPath, URL } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

// The address of a running `honinbo serve` (http://127.0.0.1:8090, say) for a page that Vite serves; the page's own address needs
// the token that the server printed.
const server = process.env.HONINBO_SERVER

export default defineConfig({
  plugins: [vue()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  define: {
    __VUE_I18N_LEGACY_API__: 'false',
    __VUE_I18N_FULL_INSTALL__: 'false',
    __INTLIFY_PROD_DEVTOOLS__: 'false',
    __VUE_OPTIONS_API__: 'true',
    __VUE_PROD_DEVTOOLS__: 'false',
  },
  clearScreen: false,
  server: {
    port: 5173,
    strictPort: true,
    ...(server ? { proxy: { '/api': { target: server, ws: true }, '/ws': { target: server, ws: true } } } : {}),
  },
  build: {
    target: ['es2022', 'safari16'],
    chunkSizeWarningLimit: 700,
    // Two files: what the first picture needs, and what comes after it. Languages and back ends stay files of their own.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'window', tags: ['$initial'], priority: 2 },
            { name: 'beside', test: /\/src\/(features|components)\/|\/node_modules\/(?!gifenc|@tauri-apps)/, priority: 1 },
          ],
        },
      },
    },
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/server.ts'],
    setupFiles: ['src/testing/setup.ts'],
    // The files of a worker share their modules, which took three quarters of the time to load again for each file;
    // whatever a test changes beyond its own app is put back before the next one (setup.ts).
    isolate: false,
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
  },
})
