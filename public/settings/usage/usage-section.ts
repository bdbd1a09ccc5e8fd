import type { Budget, UsageItem, UsageReport, UsageSum } from '../../../lib/contract/companion/usage.ts'
import { dayText as fullDay } from '../../../lib/core/schedule/day-text.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import type { ViewContext } from '../../app/view.ts'
import { type Child, el, svg } from '../../ui/dom.ts'
import { dayText } from '../../ui/time.ts'
import { spaceHref, withQuery } from '../../ui/words/addresses.ts'
import { defineSection, renderFigures } from '../parts/section.ts'
import { fieldRow } from '../parts/setting.ts'

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
    el('h2', {}, 'Last 30 days'),
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
      `Costs are estimates in US dollars, at list prices of ${fullDay(day.prices_as_of)} or those set by the server. Days start at midnight in the server’s time zone (${day.budget.time_zone}). Embeddings and cancelled calls are not counted.`,
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
  const visible = Object.entries({ ...columns, ...(kinds ? kindColumns : {}) })
  const heads = [what, ...visible.map(([head]) => head)]
  const table = renderFigures(
    `By ${what.toLowerCase()}`,
    heads,
    items.map((item) => [name(item), ...visible.map(([, cell]) => cell(item))]),
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
    const { openConversation } = await import('../../app/actions/threads.ts')
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

/** How much of the daily budget is used, and the form to set it. */
function renderBudget(budget: Budget, { app, refresh }: ViewContext): Child {
  const { daily_tokens, used_tokens, set_by } = budget
  const field = el('input', {
    class: 'field',
    id: 'daily-tokens',
    type: 'number',
    min: 0,
    step: 1,
    inputmode: 'numeric',
    placeholder: 'Unlimited',
    value: daily_tokens ?? '',
    'aria-describedby': 'budget-help',
  })
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    await set(field.value === '' ? 0 : Number(field.value))
  }
  return [
    el('h2', {}, 'Daily budget'),
    daily_tokens !== null && renderUsed(used_tokens, daily_tokens),
    el(
      'form',
      { class: 'usage-budget', onsubmit: save },
      fieldRow(
        'Tokens per day',
        field,
        'Empty: no limit',
        el('button', { class: 'button', type: 'submit' }, 'Save'),
      ),
      set_by === 'owner' &&
        el(
          'button',
          { class: 'button button-quiet', type: 'button', onclick: () => set(null) },
          'Use server setting',
        ),
    ),
    el(
      'p',
      { class: 'dim small', id: 'budget-help' },
      'Counts all models, cached tokens included. When it is reached, an answer ends before its next model call and keeps its text; simultaneous answers may exceed the limit slightly. Offline answers use no tokens.',
    ),
  ]

  async function set(tokens: number | null): Promise<void> {
    try {
      await app.api.patch<Budget>('/api/usage/budget', { daily_tokens: tokens })
      app.announce('Daily budget saved.')
    } catch (error) {
      app.toast(`Could not save the daily budget. ${messageOf(error)}`, { tone: 'problem' })
    }
    await refresh()
  }
}

function renderUsed(used: number, limit: number): HTMLElement {
  const text = `${tokenText(used)} of ${tokenText(limit)} tokens used today`
  return el(
    'div',
    { class: ['usage-used', used >= limit && 'usage-spent'] },
    el('progress', { max: limit, value: Math.min(used, limit), 'aria-label': text }),
    el('p', {}, used >= limit ? el('strong', {}, `${text}. Resets at midnight.`) : text),
  )
}

const tokenText = (tokens: number): string => tokens.toLocaleString('en-US')

/** "$1.24", "< $0.01"; "no price" where nothing has one, and a plus where a part of it has none. */
function costText({ cost, tokens, unpriced_tokens }: UsageSum): string {
  if (cost === null) return tokens === 0 ? '$0.00' : 'no price'
  const text = cost > 0 && cost < 0.01 ? '< $0.01' : `$${cost.toFixed(2)}`
  return unpriced_tokens > 0 ? `${text}+` : text
}
