import type { UsageItem, UsageReport } from '../../lib/contract/usage.ts'
import { spaceHref } from '../addresses.ts'
import { withQuery } from '../api.ts'
import type { App } from '../app.ts'
import { type Child, el } from '../dom.ts'
import { dayText } from '../time.ts'
import { renderBudget } from './budget.ts'
import { defineSection } from './section.ts'
import { renderUsageChart } from './usage-chart.ts'
import { costWords, tokenWords } from './usage-words.ts'

type Data = Record<'day' | 'model' | 'agent' | 'conversation' | 'purpose', UsageReport>

const mostConversations = 10

/** What models used today and in the last thirty days, by whom and for what, and the daily budget. */
export const usageSection = defineSection<Data>({
  async load({ api }) {
    const ask = (by: keyof Data, limit?: number) =>
      api.get<UsageReport>(withQuery('/api/usage', { by, limit: limit ?? null }))
    const [day, model, agent, conversation, purpose] = await Promise.all([
      ask('day'),
      ask('model'),
      ask('agent'),
      ask('conversation', mostConversations),
      ask('purpose'),
    ])
    return { day, model, agent, conversation, purpose }
  },
  render: ({ day, model, agent, conversation, purpose }, context) => [
    renderToday(day),
    renderBudget(day.budget, context),
    el('h3', {}, 'The last 30 days'),
    renderUsageChart(day, context.now),
    day.total.tokens > 0 && [
      renderTable('Day', day.items.filter(({ tokens }) => tokens > 0).toReversed(), {
        name: ({ key }) => dayText(key, context.now),
        kinds: true,
        fold: 'As a table, day by day',
      }),
      renderTable('Model', model.items, { name: ({ label }) => el('code', {}, label), kinds: true }),
      renderTable('Agent', agent.items, { name: ({ label }) => label || 'Void itself' }),
      renderTable('Purpose', purpose.items, { name: ({ key }) => purposes[key] ?? key }),
      renderTable('Conversation', conversation.items, {
        name: (item) => conversationLink(item, context.app),
      }),
    ],
    el(
      'p',
      { class: 'dim small' },
      `Costs are estimates in US dollars at list prices of ${dayText(day.prices_as_of, context.now)} ${day.prices_as_of.slice(0, 4)}, or those of MODEL_PRICES. Days begin at midnight where the server is (${day.budget.time_zone}). Embeddings are not counted, nor calls that were broken off.`,
    ),
  ],
  affectedBy: (event) => event.type === 'turn' && event.data.state === 'ended',
})

const purposes: Record<string, string> = {
  answer: 'Answers',
  routing: 'Sorting messages',
  naming: 'Naming conversations',
  summary: 'Summing up',
  test: 'Testing the connection',
}

function renderToday({ items }: UsageReport): HTMLElement {
  const today = items.at(-1)
  const input = today ? today.tokens - today.output_tokens : 0
  const cached = input > 0 ? Math.round(((today?.cache_read_input_tokens ?? 0) / input) * 100) : 0
  const figure = (value: string, what: string) => el('div', {}, el('dt', {}, what), el('dd', {}, value))
  return el(
    'dl',
    { class: 'usage-today', 'aria-label': 'Today' },
    figure(tokenWords(today?.tokens ?? 0), 'tokens today'),
    figure(today ? costWords(today) : '–', 'cost today'),
    figure(input > 0 ? `${cached} %` : '–', 'of the input from the cache'),
  )
}

type TableOptions = {
  name: (item: UsageItem) => Child
  /** Also the four kinds of tokens. */
  kinds?: boolean
  /** The words that open it, where it is folded away. */
  fold?: string
}

const columns: Record<string, (item: UsageItem) => string> = {
  Tokens: ({ tokens }) => tokenWords(tokens),
  Cost: costWords,
}

const kindColumns: typeof columns = {
  In: ({ input_tokens }) => tokenWords(input_tokens),
  Out: ({ output_tokens }) => tokenWords(output_tokens),
  'From cache': ({ cache_read_input_tokens }) => tokenWords(cache_read_input_tokens),
  'Into cache': ({ cache_creation_input_tokens }) => tokenWords(cache_creation_input_tokens),
}

function renderTable(
  what: string,
  items: readonly UsageItem[],
  { name, kinds = false, fold }: TableOptions,
): HTMLElement {
  const shown = Object.entries({ ...columns, ...(kinds ? kindColumns : {}) })
  const heads = [what, ...shown.map(([head]) => head)]
  const row = (item: UsageItem) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, name(item)),
      shown.map(([, cell]) => el('td', {}, cell(item))),
    )
  const table = el(
    'div',
    { class: 'usage-scroll', tabindex: 0, role: 'region', 'aria-label': `By ${what.toLowerCase()}` },
    el(
      'table',
      { class: 'figures usage-table' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          heads.map((head) => el('th', { scope: 'col' }, head)),
        ),
      ),
      el('tbody', {}, items.map(row)),
    ),
  )
  if (!fold) return table
  return el('details', { class: 'usage-fold', id: 'usage-days' }, el('summary', {}, fold), table)
}

function conversationLink(item: UsageItem, app: App): Child {
  const { label, space_id, conversation_id } = item
  const space = app.state.get().spaces.find(({ id }) => id === space_id)
  if (conversation_id === null) return 'None, or one that is gone'
  const title = label || 'Untitled'
  if (!space) return title
  const open = async (event: Event) => {
    event.preventDefault()
    const { openConversation } = await import('../search/open-conversation.ts')
    await openConversation(app, { space_id: space.id, entity_id: conversation_id })
  }
  return el('a', { href: spaceHref(space.slug), onclick: open }, title)
}
