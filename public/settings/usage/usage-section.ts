import type { UsageItem, UsageReport } from '../../../lib/contract/companion/usage.ts'
import type { App } from '../../app/app.ts'
import { type Child, el, svg } from '../../ui/dom.ts'
import { dayText } from '../../ui/time.ts'
import { spaceHref, withQuery } from '../../ui/words/addresses.ts'
import { defineSection, renderFigures } from '../parts/section.ts'
import { costText, renderBudget, tokenText } from './budget.ts'

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

const width = 600

const height = 96

const gap = 4

/** Tokens per day, as bars; the table has the same figures. */
function renderUsageChart({ items, total }: UsageReport, now: Date): HTMLElement {
  const max = Math.max(...items.map(({ tokens }) => tokens), 1)
  const step = width / Math.max(1, items.length)
  const [first, last] = [items[0], items.at(-1)]
  const name =
    total.tokens === 0
      ? 'No usage in the last 30 days'
      : `Tokens per day over the last ${items.length} days: ${tokenText(total.tokens)} in total, at most ${tokenText(max)} a day`
  return el(
    'figure',
    { class: 'usage-chart' },
    svg(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': name, preserveAspectRatio: 'none' },
      items.map(({ key, tokens }, index) => {
        const tall = tokens === 0 ? 1 : Math.max(3, (tokens / max) * height)
        return svg(
          'rect',
          {
            class: tokens === 0 ? 'usage-none' : 'usage-bar',
            x: index * step + gap / 2,
            y: height - tall,
            width: step - gap,
            height: tall,
          },
          svg('title', {}, `${dayText(key, now)}: ${tokenText(tokens)} tokens`),
        )
      }),
    ),
    first &&
      last &&
      el(
        'figcaption',
        { class: 'dim small' },
        el('span', {}, dayText(first.key, now)),
        el('span', {}, total.tokens === 0 ? name : `Peak: ${tokenText(max)} tokens`),
        el('span', {}, 'today'),
      ),
  )
}
