import { el } from '../dom.ts'
import { defineView } from '../view.ts'

export const view = defineView({
  load: async () => null,
  title: () => 'Trash',
  render: () => el('h1', {}, 'Trash'),
})
