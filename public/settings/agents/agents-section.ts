import type { Agent, AgentToken } from '../../../lib/contract/agents.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import { firstCompanion } from '../../../lib/contract/limits.ts'
import type { List } from '../../../lib/contract/list.ts'
import { slugOf } from '../../../lib/core/text/slug.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { serverUrl } from '../../ui/address.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { fieldRow } from '../parts/setting.ts'
import { renderAgent } from './agent.ts'
import { canConnect, connectSetups } from './client-setups.ts'
import { copyRow, firstConnection } from './show-token.ts'

type Data = { agents: { agent: Agent; tokens: AgentToken[] }[]; spaces: Space[] }

export const agentsSection = defineSection<Data>({
  async load({ api }) {
    const [{ items: all }, { items: spaces }] = await Promise.all([
      api.get<List<Agent>>('/api/agents?limit=200'),
      api.get<List<Space>>('/api/spaces?limit=200'),
    ])
    const agents = all.filter(({ kind, slug }) => kind === 'external' || slug === firstCompanion)
    const tokens = await Promise.all(
      agents.map(({ id }) => api.get<List<AgentToken>>(`/api/agents/${id}/tokens?limit=200`)),
    )
    return { agents: agents.map((agent, index) => ({ agent, tokens: tokens[index]!.items })), spaces }
  },
  render: ({ agents, spaces }, context) => [
    el(
      'p',
      { class: 'dim' },
      'An agent reads what its token allows, and drafts changes for your Inbox. No agent can change anything by itself.',
    ),
    el(
      'div',
      { class: 'row' },
      el(
        'button',
        { class: 'button', type: 'button', id: 'connect-agent', onclick: () => showConnectAgent(context) },
        icon('link'),
        'Connect an agent',
      ),
    ),
    agents.map(({ agent, tokens }) => renderAgent(agent, tokens, { ...context, spaces })),
    renderNewAgent(context),
  ],
  affectedBy: (event) => event.type === 'space',
})

function renderNewAgent({ app, refresh, signal }: ViewContext): Child {
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const name = el('input', {
    class: 'field',
    id: 'agent-name',
    required: true,
    maxlength: 200,
    autocomplete: 'off',
    placeholder: 'Research bot',
  })
  return el(
    'form',
    { onsubmit: create },
    el('h2', {}, 'New agent'),
    fieldRow(
      'Name',
      name,
      null,
      el('button', { class: 'button', type: 'submit' }, icon('plus'), 'Add agent'),
    ),
    problem,
  )

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    try {
      const title = name.value.trim()
      await app.api.post(
        '/api/agents',
        { name: title, slug: slugOf(title, maxSlugLength) || 'agent' },
        { signal },
      )
      name.value = ''
      await refresh()
      app.announce(`Added ${title}. Create a token for it.`)
    } catch (error) {
      problem.hidden = false
      problem.textContent = messageOf(error)
    }
  }
}

const maxSlugLength = 80

/** Shows what connects common programs without a token: they send the browser here, where the owner decides. */
function showConnectAgent({ app, refresh }: Pick<ViewContext, 'app' | 'refresh'>): void {
  const closed = new AbortController()
  const server = serverUrl()
  const dialog = showDialog(
    {
      title: 'Connect an agent',
      name: 'token',
      onClose: () => {
        closed.abort()
        void refresh()
      },
    },
    canConnect(server)
      ? [
          el(
            'p',
            {},
            'Add Void to the program. It then opens this browser, and you choose what it may read and whether it may draft.',
          ),
          connectSetups(server).map((setup) => copyRow(app, { ...setup, id: `connect-${setup.id}` }).row),
          firstConnection(app, closed.signal),
        ]
      : el(
          'p',
          {},
          'Programs can be connected over https, or on the computer that runs Void. Add an agent and create a token for it instead.',
        ),
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Done'),
    ),
  )
}
