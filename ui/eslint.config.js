import { fileURLToPath, URL } from 'node:url'
import vueI18n from '@intlify/eslint-plugin-vue-i18n'
import pluginVue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['dist/**', 'src/api/bindings.ts'] },
  ...tseslint.configs.strict,
  ...pluginVue.configs['flat/recommended'],
  ...vueI18n.configs.recommended,
  { settings: { 'vue-i18n': { localeDir: fileURLToPath(new URL('./src/i18n/locales/*.json', import.meta.url)), messageSyntaxVersion: '^11.0.0' } } },
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
  },
  {
    files: ['**/*.ts', '**/*.vue', '**/*.js'],
    rules: {
      // Every visible word comes from the locale files.
      '@intlify/vue-i18n/no-raw-text': ['error', { ignorePattern: '^[-–·:/×●○\\s]+$', attributes: { '/.+/': ['title', 'aria-label', 'placeholder', 'alt'] } }],
      '@intlify/vue-i18n/no-missing-keys': 'error',
      '@intlify/vue-i18n/no-v-html': 'error',
      'vue/no-v-html': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Layout of templates is left to the writer; what matters is what they say.
      'vue/max-attributes-per-line': 'off',
      'vue/first-attribute-linebreak': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/multi-word-component-names': ['error', { ignores: ['App'] }],
      'vue/require-default-prop': 'off',
      'no-restricted-imports': ['error', {
        patterns: [
          { group: ['@tauri-apps/*'], message: 'Only src/api knows the shell.' },
          { group: ['@/features/*/*', '@/api/*'], message: 'Import the index of a feature, never its insides.' },
        ],
      }],
      'no-restricted-globals': ['error', { name: 'WebSocket', message: 'Only src/api opens a socket.' }],
    },
  },
  { files: ['bench/**'], rules: { 'no-console': 'off' } },
  { files: ['src/api/**'], rules: { 'no-restricted-imports': 'off', 'no-restricted-globals': 'off' } },
  { files: ['src/**/*.test.ts', 'src/testing/**'], rules: { 'no-restricted-imports': 'off', '@typescript-eslint/no-dynamic-delete': 'off' } },
  {
    // Shared parts know nothing of the features; features do not reach into the window around them.
    files: ['src/components/**', 'src/i18n/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group: ['@/features/**', '@/api/**', '@tauri-apps/*'], message: 'Shared parts know no feature.' }] }] },
  },
)
