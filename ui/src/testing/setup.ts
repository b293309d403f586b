import { beforeEach } from 'vitest'
import { i18n } from '@/i18n'

beforeEach(() => {
  i18n.global.locale.value = 'en'
  sessionStorage.clear()
})
