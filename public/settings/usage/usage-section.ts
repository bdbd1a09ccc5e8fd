import type { UsageItem, UsageReport } from '../../../lib/contract/companion/usage.ts'
import type { App } from '../../app/app.ts'
import { type Child, el } from '../../ui/dom.ts'
import { dayText } from '../../ui/time.ts'
import { spaceHref, withQuery } from '../../ui/words/addresses.ts'
import { renderFigures } from '../parts/figures-table.ts'
import { defineSection } from '../parts/section.ts'
import { renderBudget } from './budget.ts'
import { renderUsageChart } from './usage-chart.ts'
import { costText, tokenText } from './usage-text.ts'

type Data = Record<'day' | 'model' | 'agent' | 'conversation' | 'purpose', UsageReport>

const maxConversations = 10

/** Usage of models today and in the last 30 days, by agent and purpose, and the daily budget. */
export const usageSection = defineSection<Data>({
  async load({ api }) {
    const load = (by: keyof Data, limit?: number) =>
      api.get<UsageReport>(withQuery('/api/usage', { by, limit: limit ?? null }))
    const [day, model, agent, conversation, purpose] = await Promise.all([
      load('day'),
      load('model'),
      load('agent'),
      load('conversation', maxConversations),
      load('purpose'),
    ])
    return { day, model, agent, conversation, purpose }
  },
  render: ({ day, model, agent, conversation, purpose }, context) => [
    renderToday(day),
    renderBudget(day.budget, context),
    el('h3', {}, 'Last 30 days'),
    renderUsageChart(day, context.now),
    day.total.tokens > 0 && [
      renderTable('Day', day.items.filter(({ tokens }) => tokens > 0).toReversed(), {
        name: ({ key }) => dayText(key, context.now),
        kinds: true,
        fold: 'Show as table',
      }),
      renderTable('Model', model.items, { name: ({ label }) => el('code', {}, label), kinds: true }),
      renderTable('Agent', agent.items, { name: ({ label }) => label || 'Void' }),
      renderTable('Purpose', purpose.items, { name: ({ key }) => purposes[key] ?? key }),
      renderTable('Conversation', conversation.items, {
        name: (item) => conversationLink(item, context.app),
      }),
    ],
    el(
      'p',
      { class: 'dim small' },
      `Costs are estimates in US dollars, at list prices of ${dayText(day.prices_as_of, context.now)} ${day.prices_as_of.slice(0, 4)} or those set in MODEL_PRICES. Days start at midnight in the server’s time zone (${day.budget.time_zone}). Embeddings and cancelled calls are not counted.`,
    ),
  ],
  affectedBy: (event) => event.type === 'turn' && event.data.state === 'ended',
})

const purposes: Record<string, string> = {
  answer: 'Answers',
  routing: 'Routing messages',
  naming: 'Naming conversations',
  summary: 'Summarizing conversations',
  test: 'Connection tests',
  glance: 'Glance',
}

function renderToday({ items }: UsageReport): HTMLElement {
  const today = items.at(-1)
  const input = today ? today.tokens - today.output_tokens : 0
  const cached = input > 0 ? Math.round(((today?.cache_read_input_tokens ?? 0) / input) * 100) : 0
  const figure = (value: string, what: string) => el('div', {}, el('dt', {}, what), el('dd', {}, value))
  return el(
    'dl',
    { class: 'usage-today', 'aria-label': 'Today' },
    figure(tokenText(today?.tokens ?? 0), 'tokens today'),
    figure(today ? costText(today) : '–', 'cost today'),
    figure(input > 0 ? `${cached} %` : '–', 'of input from cache'),
  )
}

type TableOptions = {
  name: (item: UsageItem) => Child
  /** Also the four kinds of tokens. */
  kinds?: boolean
  /** The label that opens it, where it is folded. */
  fold?: string
}

const columns: Record<string, (item: UsageItem) => string> = {
  Tokens: ({ tokens }) => tokenText(tokens),
  Cost: costText,
}

const kindColumns: typeof columns = {
  In: ({ input_tokens }) => tokenText(input_tokens),
  Out: ({ output_tokens }) => tokenText(output_tokens),
  'From cache': ({ cache_read_input_tokens }) => tokenText(cache_read_input_tokens),
  'Into cache': ({ cache_creation_input_tokens }) => tokenText(cache_creation_input_tokens),
}

function renderTable(
  what: string,
  items: readonly UsageItem[],
  { name, kinds = false, fold }: TableOptions,
): HTMLElement {
  const shown = Object.entries({ ...columns, ...(kinds ? kindColumns : {}) })
  const heads = [what, ...shown.map(([head]) => head)]
  const table = renderFigures(
    `By ${what.toLowerCase()}`,
    heads,
    items.map((item) => [name(item), ...shown.map(([, cell]) => cell(item))]),
  )
  if (!fold) return table
  return el('details', { class: 'usage-fold', id: 'usage-days' }, el('summary', {}, fold), table)
}

function conversationLink(item: UsageItem, app: App): Child {
  const { label, space_id, conversation_id } = item
  const space = app.state.get().spaces.find(({ id }) => id === space_id)
  if (conversation_id === null) return 'None or deleted'
  const title = label || 'Untitled'
  if (!space) return title
  const open = async (event: Event) => {
    event.preventDefault()
    const { openConversation } = await import('../../app/actions/conversation.ts')
    await openConversation(app, { space_id: space.id, entity_id: conversation_id })
  }
  return el('a', { href: spaceHref(space.slug), onclick: open }, title)
}
