import type { Agent, OfferedTool } from '../../../lib/contract/agents.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import { firstCompanion } from '../../../lib/contract/limits.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { ModelList } from '../../../lib/contract/model.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { renderArmedButton } from '../../ui/components/armed-button.ts'
import { icon } from '../../ui/components/icon.ts'
import { renderMark } from '../../ui/components/marks.ts'
import { visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { closeForm, defineSection } from '../parts/section.ts'
import { formRow, hintedRow, renderThing, valueRow } from '../parts/setting.ts'
import { type CompanionChoices, renderCompanionForm } from './companion-form.ts'
import { renderResearchRules } from './research-rules.ts'

type Data = CompanionChoices & { companions: Agent[]; deleted: Agent[] }

export const companionsSection = defineSection<Data>({
  async load({ api }) {
    const [{ items: agents }, { items: deleted }, { items: tools }, { items: spaces }, models] =
      await Promise.all([
        api.get<List<Agent>>('/api/agents?limit=200'),
        api.get<List<Agent>>('/api/agents/deleted'),
        api.get<List<OfferedTool>>('/api/agents/tools'),
        api.get<List<Space>>('/api/spaces?limit=200'),
        api.get<ModelList>('/api/models'),
      ])
    // Newest first in the list; here the one that was there from the start leads.
    const companions = agents.filter(({ kind }) => kind === 'companion').toReversed()
    return { companions, deleted, tools, spaces, models }
  },
  render: ({ companions, deleted, ...choices }, context) => [
    el(
      'p',
      { class: 'dim' },
      'A companion has its own instructions, model, tools and Spaces. Switch at the top of the rail, or write @name to ask one for a single message. None can change anything by itself. Instructions for all of them in one Space are set under ',
      el('a', { href: '/spaces' }, 'Spaces'),
      ': edit the Space.',
    ),
    companions.map((companion) => renderCompanion(companion, choices, context)),
    renderNew(choices, context),
    renderDeleted(deleted, context),
  ],
  affectedBy: (event) => event.type === 'companion' || event.type === 'space',
})

function renderCompanion(companion: Agent, choices: CompanionChoices, context: ViewContext): HTMLElement {
  const { id, slug, name } = companion
  const isBuiltIn = slug === firstCompanion
  return renderThing(
    {
      id: `companion-${id}`,
      name: visible(name),
      before: renderMark(companion),
      after: isBuiltIn && el('span', { class: 'dim small' }, 'Built in'),
    },
    renderEdit(companion, choices, context),
    renderResearchRules(context.app, companion),
    isBuiltIn
      ? valueRow('Spaces', 'It answers in every Space and cannot be deleted.')
      : renderDelete(companion, context),
  )
}

function facts(
  { capabilities, model, thinking, scopes, tools }: Agent,
  { spaces }: CompanionChoices,
): string[] {
  const names = scopes.spaces?.map((id) => spaces.find((space) => space.id === id)?.name ?? 'a deleted Space')
  return [
    capabilities.suggest ? 'Read and draft' : 'Read only',
    ...(model === null ? [] : [model]),
    ...(thinking === 'auto' ? [] : [`thinking: ${thinking}`]),
    ...(names ? [names.length === 0 ? 'No Spaces' : `in ${names.join(', ')}`] : []),
    ...(tools === null ? [] : [tools.length === 1 ? '1 tool' : `${tools.length} tools`]),
  ]
}

function renderEdit(companion: Agent, choices: CompanionChoices, context: ViewContext): Child {
  const { app, refresh, signal } = context
  const save = async ({ tier, ...fields }: Record<string, unknown>) => {
    const capabilities = tier === undefined ? {} : { capabilities: { suggest: tier === 'suggest' } }
    await app.api.patch(`/api/agents/${companion.id}`, { ...fields, ...capabilities }, { signal })
    closeForm(`edit-${companion.id}`)
    await refresh()
    app.toast(`Saved ${quoteShown(companion.name)}.`)
  }
  const { id, name, instructions } = companion
  return formRow(
    {
      id: `edit-${id}`,
      label: 'Instructions, model and tools',
      hint: facts(companion, choices).join(', '),
      value: el('span', { class: 'companion-words' }, visible(instructions)),
      verb: 'Edit',
      name,
    },
    renderCompanionForm({ companion, choices, label: 'Save', onSave: save }),
  )
}

function renderDelete({ id, name }: Agent, { app, refresh, signal }: ViewContext): HTMLElement {
  return hintedRow(
    'Delete',
    'Its threads continue with the built-in companion. You can restore it.',
    renderArmedButton({ label: 'Delete', name, id: `delete-${id}`, press }),
  )

  async function press(): Promise<void> {
    try {
      await app.api.delete(`/api/agents/${id}`, undefined, { signal })
      app.toast(`Deleted ${quoteShown(name)}.`)
      await refresh()
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

function renderNew(choices: CompanionChoices, { app, refresh, signal }: ViewContext): Child {
  const save = async (fields: Record<string, unknown>) => {
    await app.api.post('/api/agents', fields, { signal })
    closeForm('companion-new')
    await refresh()
    app.toast(`Created ${quoteShown(String(fields.name))}.`)
  }
  return el(
    'details',
    { class: 'token-new', id: 'companion-new' },
    el('summary', { class: 'button' }, icon('plus'), 'New companion'),
    renderCompanionForm({ companion: null, choices, label: 'Create companion', onSave: save }),
  )
}

function renderDeleted(deleted: readonly Agent[], { app, refresh, signal }: ViewContext): Child {
  if (deleted.length === 0) return null
  const restore = async ({ id, name }: Agent) => {
    try {
      await app.api.post(`/api/agents/${id}/restore`, undefined, { signal })
      app.toast(`Restored ${quoteShown(name)}.`)
      await refresh()
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
  return el(
    'section',
    { class: 'things', 'aria-labelledby': 'deleted-companions' },
    el('h2', { id: 'deleted-companions' }, 'Deleted companions'),
    el(
      'div',
      {},
      deleted.map((companion) =>
        valueRow(
          el('span', { class: 'space-name' }, renderMark(companion), el('bdi', {}, visible(companion.name))),
          el(
            'button',
            {
              class: 'button button-small',
              type: 'button',
              id: `restore-${companion.id}`,
              'aria-label': `Restore ${companion.name}`,
              onclick: () => restore(companion),
            },
            icon('restore'),
            'Restore',
          ),
        ),
      ),
    ),
  )
}
