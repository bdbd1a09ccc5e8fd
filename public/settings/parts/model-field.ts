import type { ModelList } from '../../../lib/contract/model.ts'
import { el } from '../../ui/dom.ts'
import { priceText } from '../../ui/words/names.ts'
import { fieldRow } from './setting.ts'

export type ModelFieldOptions = {
  id: string
  label: string
  /** Below the label. */
  about?: string
  value: string
  placeholder: string
}

/** The model's name, chosen from what the provider lists or typed, with its price. */
export function renderModelField(
  { items, problem }: Pick<ModelList, 'items' | 'problem'>,
  { id, label, about, value, placeholder }: ModelFieldOptions,
) {
  const listId = `${id}s`
  const hint = el('span', { class: 'dim small' })
  const input = el('input', {
    class: 'field',
    id,
    list: listId,
    maxlength: 200,
    autocomplete: 'off',
    placeholder,
    value,
    oninput: showPrice,
    // What was typed may have been put back since.
    onfocus: showPrice,
  })
  const options = items.map(({ id, name, price }) =>
    el('option', { value: id }, [name, priceText(price)].filter(Boolean).join(', ')),
  )
  hint.textContent = hintOf(value)
  const element = fieldRow(label, input, about, el('datalist', { id: listId }, options), hint)
  return { input, element }

  function showPrice(): void {
    hint.textContent = hintOf(input.value.trim())
  }

  function hintOf(model: string): string {
    const price = items.find(({ id }) => id === model)?.price ?? null
    return price ? `${priceText(price)} for a million tokens` : (problem ?? '')
  }
}
