import type { Space } from '../../lib/contract/entities.ts'
import { messageOf } from '../api.ts'
import { icon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { dayText, timeAgo } from '../time.ts'
import type { ViewContext } from '../view.ts'
import { renderNewToken } from './new-token.ts'
import { type Agent, type Token, tokenState } from './token-state.ts'

export type AgentContext = ViewContext & { spaces: Space[] }

/** An agent with its tokens. The companion is one too, and needs none. */
export function renderAgent(agent: Agent, tokens: Token[], context: AgentContext): HTMLElement {
  const companion = agent.kind === 'companion'
  const { spaces } = agent.scopes
  return el(
    'article',
    { class: 'agent', 'aria-labelledby': `agent-${agent.id}` },
    el(
      'header',
      { class: 'agent-head' },
      icon(companion ? 'companion' : 'key'),
      el('h3', { id: `agent-${agent.id}` }, agent.name),
      el('code', { class: 'dim' }, agent.slug),
      el('span', { class: 'dim small' }, agent.capabilities.suggest ? 'reads and drafts' : 'reads'),
      spaces && el('span', { class: 'dim small' }, `in ${spaceNames(spaces, context.spaces)}`),
    ),
    companion
      ? el('p', { class: 'dim small' }, 'Answers in the rail. It works inside of Void and needs no token.')
      : [
          tokens.length > 0 &&
            el(
              'ul',
              { class: 'tokens' },
              tokens.map((token) => renderToken(token, context)),
            ),
          renderNewToken(agent, context),
        ],
  )
}

function renderToken(token: Token, context: AgentContext): HTMLElement {
  const { now } = context
  const state = tokenState(token, now)
  return el(
    'li',
    { class: 'token', 'data-state': state },
    el(
      'div',
      { class: 'token-name' },
      el('strong', {}, token.name),
      el('code', { class: 'dim' }, `…${token.hint}`),
      state !== 'active' && el('span', { class: ['badge', state === 'revoked' && 'badge-red'] }, state),
    ),
    el('p', { class: 'token-facts' }, facts(token, context)),
    state === 'active' && renderRevoke(token, context),
  )
}

function facts({ tier, spaces, expires_at, last_used_at, revoked_at }: Token, context: AgentContext): Child {
  const { now } = context
  return [
    el('span', {}, tier === 'read' ? 'reads only' : 'reads and drafts'),
    el('span', {}, spaces ? spaceNames(spaces, context.spaces) : 'all Spaces'),
    el('span', {}, last_used_at ? ['last used ', timeAgo(last_used_at, now)] : 'never used'),
    revoked_at
      ? el('span', {}, 'revoked ', timeAgo(revoked_at, now))
      : el('span', {}, expires_at ? `until ${dayText(expires_at.slice(0, 10), now)}` : 'never expires'),
  ]
}

// It cannot be undone, so it takes a second press; a lost token is one press more away, not a dialog.
function renderRevoke({ id, agent_id, name }: Token, { app, refresh, signal }: AgentContext): HTMLElement {
  const button = el(
    'button',
    {
      class: 'button button-small button-danger',
      type: 'button',
      id: `revoke-${id}`,
      'aria-label': `Revoke ${name}`,
      onclick: press,
    },
    'Revoke',
  )
  button.addEventListener('blur', () => arm(false))
  return button

  function arm(armed: boolean): void {
    button.toggleAttribute('data-armed', armed)
    button.textContent = armed ? 'Revoke for good' : 'Revoke'
    button.setAttribute('aria-label', armed ? `Revoke ${name} for good` : `Revoke ${name}`)
  }

  async function press(): Promise<void> {
    if (!button.hasAttribute('data-armed')) return arm(true)
    try {
      await app.api.delete(`/api/agents/${agent_id}/tokens/${id}`, undefined, { signal })
      app.toast(`The token “${name}” is revoked. Whoever holds it is turned away from now on.`)
      await refresh()
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

const spaceNames = (ids: readonly string[], spaces: readonly Space[]): string =>
  ids.length === 0
    ? 'no Space'
    : ids.map((id) => spaces.find((space) => space.id === id)?.name ?? 'a deleted Space').join(', ')
