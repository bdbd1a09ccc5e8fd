import { el } from '../dom.ts'
import { defineView } from '../view.ts'

export const view = defineView({
  load: async () => null,
  title: () => 'Activity',
  render: () => el('h1', {}, 'Activity'),
})
