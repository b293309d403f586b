import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { provideBackend, type Answer, type Backend, type CommandName, type Commands, type Devices, type DeviceView } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import SettingsDevices from './SettingsDevices.vue'

const device = (more: Partial<DeviceView>): DeviceView => ({ device: 'cpu', name: 'Xeon', isSoftware: false, inUse: false, evaluationsPerSecond: 0, bits: 0, nodesOnDevice: 0, nodesOnProcessor: 0, refused: '', isSlower: false, kernels: null, ...more })

test('a device that is slower than the processor is said not to be used', async () => {
  const { backend } = await startApp()
  const found: Devices = { runtime: '1.24.1', cores: 2, devices: [device({ device: 'openvino', evaluationsPerSecond: 44.6, bits: 32, isSlower: true }), device({ evaluationsPerSecond: 78.3, inUse: true })] }
  const scripted: Backend = {
    ...backend,
    call<Name extends CommandName>(name: Name, args: Commands[Name][0]): Promise<Answer<Commands[Name][1]>> {
      return name === 'list_devices' ? Promise.resolve({ status: 'ok', data: found as Commands[Name][1] }) : backend.call(name, args)
    },
  }
  const wrapper = mount(SettingsDevices, { props: { shows: () => true, nativeDialogs: false }, global: { plugins: [i18n, app => provideBackend(app, scripted)] } })
  await backend.settled()
  expect(wrapper.findAll('.devices li .facts').map(facts => facts.text())).toEqual(['45 evaluations/s · 32 bits · not used: slower than the processor', '78 evaluations/s · in use'])
  wrapper.unmount()
})

test('what was typed last is what is measured', async () => {
  const { backend } = await startApp()
  const wrapper = mount(SettingsDevices, { props: { shows: () => true, nativeDialogs: false }, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  await backend.settled()
  const slow = backend.hold('set_settings')
  // The press of the button is what ends the typing.
  await wrapper.get('[data-field=threads]').setValue(1)
  await wrapper.get('[data-action=measure-devices]').trigger('click')
  await backend.until(() => slow.waiting === 1)
  await backend.settled()
  expect(backend.asked('measure_devices')).toEqual([])
  slow.release()
  await backend.until(() => backend.asked('measure_devices').length === 1)
  wrapper.unmount()
})
