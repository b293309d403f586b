// Scripts and end-to-end tests; the interface has its own configuration in ui/.

const readonly = (names) => Object.fromEntries(names.map((name) => [name, 'readonly']))

export default [
  {
    files: ['scripts/**/*.mjs', 'tests/e2e/**/*.mjs', 'eslint.config.js'],
    languageOptions: {
      ecmaVersion: 2024,
      sourceType: 'module',
      globals: readonly([
        'Buffer', 'URL', 'clearTimeout', 'console', 'fetch', 'performance', 'process', 'setTimeout', 'WebSocket',
        // Functions that are handed to the page.
        'DataTransfer', 'DragEvent', 'Event', 'File', 'document', 'getComputedStyle', 'localStorage', 'location', 'window',
      ]),
    },
    rules: {
      'constructor-super': 'error', 'for-direction': 'error', 'getter-return': 'error', 'no-await-in-loop': 'off',
      'no-async-promise-executor': 'error', 'no-const-assign': 'error', 'no-constant-condition': ['error', { checkLoops: false }],
      'no-control-regex': 'error', 'no-debugger': 'error', 'no-dupe-args': 'error', 'no-dupe-else-if': 'error', 'no-dupe-keys': 'error',
      'no-duplicate-case': 'error', 'no-empty': 'error', 'no-eval': 'error', 'no-fallthrough': 'error', 'no-import-assign': 'error',
      'no-redeclare': 'error', 'no-self-assign': 'error', 'no-shadow': 'error', 'no-undef': 'error', 'no-unreachable': 'error',
      'no-unsafe-finally': 'error', 'no-unused-vars': 'error', 'no-useless-catch': 'error', 'no-useless-escape': 'error', 'no-var': 'error',
      'prefer-const': 'error', 'eqeqeq': 'error', 'require-yield': 'error', 'use-isnan': 'error', 'valid-typeof': 'error',
    },
  },
]
