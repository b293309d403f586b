import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, test } from 'vitest'
import { defineComponent } from 'vue'
import AppIconButton from './AppIconButton.vue'

test('scoped styles of the component that uses it reach the button', () => {
  const Caller = Object.assign(defineComponent({
    components: { AppIconButton, TooltipProvider },
    template: '<TooltipProvider><AppIconButton class="end" label="Undo" /></TooltipProvider>',
  }), { __scopeId: 'data-v-caller' })
  const button = mount(Caller).get('button')
  expect(button.classes()).toContain('end')
  expect(button.attributes()).toHaveProperty('data-v-caller')
})
