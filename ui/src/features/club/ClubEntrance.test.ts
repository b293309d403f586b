import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { i18n } from '@/i18n'
import ClubEntrance from './ClubEntrance.vue'
import { useClub } from './session'

beforeEach(() => { setActivePinia(createPinia()) })

/** The page, and what was asked of a server that lets everybody in. */
function shown(props: { invitation?: string } = {}) {
  const asked: [path: string, body: unknown][] = []
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit) => {
    asked.push([path, JSON.parse(body as string)])
    return Promise.resolve({ ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve(JSON.stringify({ token: 'new', username: 'Anna', guest: false, operator: false })) } as Response)
  })
  const wrapper = mount(ClubEntrance, { props: { invited: false, left: false, ...props }, global: { plugins: [i18n] }, attachTo: document.body })
  onTestFinished(() => { wrapper.unmount() })
  return { wrapper, asked }
}

test('who forgot the password gives the code of whoever runs the server, and a new one', async () => {
  const { wrapper, asked } = shown()
  await wrapper.get('[data-action=choose-reset]').trigger('click')
  expect([wrapper.find('[data-field=username]').exists(), wrapper.get('[data-field=password]').attributes('autocomplete')]).toEqual([false, 'new-password'])
  await wrapper.get('[data-field=reset-code]').setValue(' c0de ')
  await wrapper.get('[data-field=password]').setValue('another one')
  await wrapper.get('form').trigger('submit')
  await vi.waitFor(() => expect(useClub().person?.username).toBe('Anna'))
  expect(asked).toEqual([['/api/reset-password', { code: 'c0de', new_password: 'another one' }]])
})

test('a code of one way in is not taken along to another', async () => {
  const { wrapper, asked } = shown()
  await wrapper.get('[data-action=choose-reset]').trigger('click')
  await wrapper.get('[data-field=reset-code]').setValue('c0de')
  await wrapper.get('[data-action=choose-register]').trigger('click')
  await wrapper.get('[data-field=username]').setValue('Ben')
  await wrapper.get('[data-field=password]').setValue('long enough')
  await wrapper.get('form').trigger('submit')
  await vi.waitFor(() => expect(asked).toEqual([['/api/register', { username: 'Ben', password: 'long enough' }]]))
})

test('who comes by the link of an invitation only chooses a name and a password', async () => {
  useClub().facts = { ...useClub().facts, registration: 'invitation' }
  const { wrapper, asked } = shown({ invitation: 'c0de' })
  const field = () => wrapper.get<HTMLInputElement>('[data-field=code]')
  expect([field().element.value, field().attributes('autocapitalize')]).toEqual(['c0de', 'off'])
  await wrapper.get('[data-action=choose-login]').trigger('click')
  await wrapper.get('[data-action=choose-register]').trigger('click')
  expect(field().element.value).toBe('c0de')
  await wrapper.get('[data-field=username]').setValue('Anna')
  await wrapper.get('[data-field=password]').setValue('long enough')
  await wrapper.get('form').trigger('submit')
  await vi.waitFor(() => expect(asked).toEqual([['/api/register', { username: 'Anna', password: 'long enough', code: 'c0de' }]]))
})
