import type { Agent, AgentToken } from '../../../lib/contract/agents.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { renderArmedButton } from '../../ui/components/armed-button.ts'
import { isolated, visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { dayTime, timeAgo } from '../../ui/time.ts'
import { fieldRow, formRow, groupRow, hintedRow, renderThing, valueRow } from '../parts/setting.ts'
import { type NewToken, showToken } from './show-token.ts'

/** An agent with its tokens. The companion is one too, and needs none. */
export function renderAgent(agent: Agent, tokens: AgentToken[], context: AgentContext): HTMLElement {
  const { id, name, slug, kind, capabilities, scopes } = agent
  const where = scopes.spaces && ` in ${spaceNames(scopes.spaces, context.spaces)}`
  return renderThing(
    { id: `agent-${id}`, name: visible(name), after: el('code', { class: 'dim' }, slug) },
    valueRow(
      'Permissions',
      el('span', { class: 'grow' }, capabilities.suggest ? 'Read and draft' : 'Read only', where),
      renderDoings(agent),
    ),
    kind === 'companion'
      ? valueRow('Tokens', 'Built in. It needs no token.')
      : [
          tokens.map((token) => renderToken(token, context)),
          renderNewToken(agent, context),
          renderResearchBudget(agent, context),
        ],
  )
}

/** Saved when it is left. */
function renderResearchBudget(agent: Agent, { app, signal }: AgentContext): HTMLElement {
  const field = el('input', {
    class: 'field',
    type: 'number',
    id: `research-${agent.id}`,
    min: 0,
    max: 50_000_000,
    step: 1,
    value: String(agent.research_tokens),
    onchange: () => void save(),
  })
  return fieldRow('Research budget', field, 'Tokens a day')

  async function save(): Promise<void> {
    if (!field.reportValidity()) return
    try {
      await app.api.patch(`/api/agents/${agent.id}`, { research_tokens: Number(field.value) }, { signal })
      app.toast('Research budget saved.')
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

/** Where the owner sees what it did, and what waits for them. */
const renderDoings = ({ slug, name }: Agent): HTMLElement =>
  el(
    'span',
    { class: 'agent-links' },
    el(
      'a',
      {
        href: `/inbox?agent=${encodeURIComponent(slug)}`,
        'aria-label': `Waiting drafts of ${quoteShown(name)}`,
      },
      'Waiting drafts',
    ),
    el(
      'a',
      {
        href: `/activity?actor=${encodeURIComponent(`agent:${slug}`)}`,
        'aria-label': `Activity of ${quoteShown(name)}`,
      },
      'Activity',
    ),
  )

function renderToken(token: AgentToken, context: AgentContext): HTMLElement {
  const state = tokenState(token, context.now)
  return hintedRow(
    isolated(token.name),
    token.client_id === null
      ? ['Token ', el('code', {}, `…${token.hint}`)]
      : el('bdi', {}, publisherOf(token.client_id)),
    el('span', { class: 'token-facts grow' }, facts(token, context)),
    state === 'active' ? renderRevoke(token, context) : renderState(token, state),
  )
}

const renderState = ({ client_id }: AgentToken, state: 'expired' | 'revoked'): HTMLElement =>
  state === 'revoked'
    ? el('span', { class: 'badge badge-red' }, client_id === null ? 'revoked' : 'disconnected')
    : el('span', { class: 'badge' }, 'expired')

/** Whose program it is: that of the site which describes it, or of nobody in particular. */
const publisherOf = (clientId: string): string =>
  URL.canParse(clientId) ? `connected, of ${new URL(clientId).hostname}` : 'connected, identity not verified'

function facts(
  { client_id, tier, spaces, expires_at, last_used_at, revoked_at }: AgentToken,
  context: AgentContext,
): Child {
  const { now } = context
  return [
    el('span', {}, tier === 'read' ? 'Read only' : 'Read and draft'),
    el('span', {}, spaces ? spaceNames(spaces, context.spaces) : 'All Spaces'),
    el('span', {}, last_used_at ? ['Last used ', timeAgo(last_used_at, now)] : 'Never used'),
    revoked_at
      ? el('span', {}, client_id === null ? 'Revoked ' : 'Disconnected ', timeAgo(revoked_at, now))
      : el('span', {}, expires_at ? ['Expires ', dayTime(expires_at.slice(0, 10), now)] : 'Never expires'),
  ]
}

function renderRevoke(
  { id, agent_id, name, client_id }: AgentToken,
  { app, refresh, signal }: AgentContext,
): HTMLElement {
  const isProgram = client_id !== null
  return renderArmedButton({ label: isProgram ? 'Disconnect' : 'Revoke', name, id: `revoke-${id}`, press })

  async function press(): Promise<void> {
    try {
      await app.api.delete(`/api/agents/${agent_id}/tokens/${id}`, undefined, { signal })
      app.toast(isProgram ? `Disconnected ${quoteShown(name)}.` : `Revoked token ${quoteShown(name)}.`)
      await refresh()
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

const spaceNames = (ids: readonly string[], spaces: readonly Space[]): string =>
  ids.length === 0
    ? 'No Spaces'
    : ids.map((id) => spaces.find((space) => space.id === id)?.name ?? 'a deleted Space').join(', ')

const lifetimes = [
  ['', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

/** The form for a new token, folded until it is opened. */
function renderNewToken(agent: Agent, context: AgentContext): HTMLElement {
  const { app, spaces, refresh, signal, now } = context
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const id = (name: string) => `token-${name}-${agent.id}`
  const name = el('input', {
    class: 'field',
    id: id('name'),
    required: true,
    maxlength: 200,
    autocomplete: 'off',
    placeholder: 'Laptop',
  })
  const tier = el(
    'select',
    { class: 'field', id: id('tier') },
    el('option', { value: 'suggest' }, 'Read and draft'),
    el('option', { value: 'read' }, 'Read only'),
  )
  const lifetime = el(
    'select',
    { class: 'field', id: id('expiry') },
    lifetimes.map(([value, label]) => el('option', { value, selected: value === '90' }, label)),
  )
  const boxes = spaces.map((space) => el('input', { type: 'checkbox', value: space.id, id: id(space.id) }))

  return formRow(
    {
      id: id('new'),
      label: 'New token',
      hint: 'For one program or computer',
      verb: 'Create…',
      name: `for ${agent.name}`,
    },
    el(
      'form',
      { class: 'token-form', onsubmit: create },
      fieldRow('Name', name),
      fieldRow('Permissions', tier),
      fieldRow('Expires', lifetime),
      groupRow(
        'Spaces',
        boxes.map((box, index) => el('label', { class: 'check-line' }, box, spaces[index]!.name)),
        'Empty: all, including future',
      ),
      problem,
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button button-primary', type: 'submit' }, 'Create token'),
      ),
    ),
  )

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const chosen = boxes.filter((box) => box.checked).map(({ value }) => value)
    const days = Number(lifetime.value)
    try {
      const made = await app.api.post<NewToken>(
        `/api/agents/${agent.id}/tokens`,
        {
          name: name.value.trim(),
          tier: tier.value,
          spaces: chosen.length > 0 ? chosen : null,
          expires_at: days > 0 ? new Date(now.getTime() + days * 86_400_000).toISOString() : null,
        },
        { signal },
      )
      document.querySelector<HTMLFormElement>(`#${id('new')} form`)?.reset()
      showToken(made, app)
      await refresh()
    } catch (error) {
      problem.hidden = false
      problem.textContent = messageOf(error)
    }
  }
}

function tokenState({ revoked_at, expires_at }: AgentToken, now: Date): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && new Date(expires_at) <= now ? 'expired' : 'active'
}

type AgentContext = ViewContext & { spaces: Space[] }
