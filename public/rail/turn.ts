import { inBrowser } from '#platform'
import type { Card } from '../../lib/contract/card.ts'
import type { Effect } from '../../lib/contract/effects.ts'
import type { App } from '../app.ts'
import { icon } from '../components/icon.ts'
import { hrefOfPanel } from '../desk/panel-tab.ts'
import { el } from '../dom.ts'
import { type AnswerText, createAnswerText } from './answer-text.ts'
import type { ChangesetBar } from './changeset-bar.ts'
import type { CitationChips } from './citation-chips.ts'
import { type Ending, explainEnd } from './explain-end.ts'
import { renderToolActivity } from './tool-activity.ts'
import type { Answer, Turn } from './turn-state.ts'

export type TurnContext = {
  app: App
  slug: string
  companion: string
  chips: CitationChips
  retry(turn: Turn): void
  /** Ends with the conversation. */
  signal: AbortSignal
}

export type TurnPart = { element: HTMLElement; update(turn: Turn): void }

/** A question and its answer. `update` touches only what has changed. */
export function createTurn(first: Turn, context: TurnContext): TurnPart {
  let turn = first
  let shown: Answer | null = null
  const tools = el('div', { class: 'slot' })
  const text: AnswerText = createAnswerText({ slug: context.slug }, context.chips.toChip)
  const cards = el('div', { class: 'slot turn-cards' })
  const drawn = new Set<string>()
  const changeset = el('div', { class: 'slot' })
  let bar: ChangesetBar | null = null
  const offers = el('div', { class: 'slot row' })
  const end = el('div', { class: 'slot' })
  const answerSlot = el('div', { class: 'slot' })
  const element = el('article', { class: 'turn' }, turn.question && question(turn.question.text), answerSlot)
  const answerNodes = el(
    'section',
    { class: 'said said-companion' },
    el('h3', { class: 'said-label' }, context.companion),
    tools,
    text.element,
    cards,
    changeset,
    offers,
    end,
  )
  show()
  return {
    element,
    update(next) {
      if (next === turn) return
      turn = next
      show()
    },
  }

  function show(): void {
    const { answer } = turn
    if (!answer) return
    if (!shown) answerSlot.replaceChildren(answerNodes)
    if (answer.tools !== shown?.tools || answer.used !== shown.used) showTools(answer)
    if (answer.text !== shown?.text || answer.citations !== shown?.citations)
      text.show(answer.text, answer.citations)
    if (answer.cards !== shown?.cards) showCards(answer)
    if (answer.offers !== shown?.offers) offers.replaceChildren(...renderOffers(answer.offers, context.app))
    end.replaceChildren(...ending(answer))
    shown = answer
  }

  function showTools({ tools: calls, used }: Answer): void {
    const open = 'querySelector' in tools ? (tools.querySelector('details')?.open ?? false) : false
    tools.replaceChildren(renderToolActivity(calls, used, { id: `tools-${turn.key}`, open }) ?? '')
  }

  // A card follows its draft by itself: once it stands there, it is left alone.
  function showCards({ cards: all }: Answer): void {
    const { app, signal } = context
    showChangeset(all)
    for (const card of all) {
      if (drawn.has(card.pending_change_id)) continue
      drawn.add(card.pending_change_id)
      cards.append(app.cards.render(card, { app, signal, now: app.now(), place: 'rail' }))
    }
  }

  // Its code comes with the first answer that makes several drafts; more may have come by then.
  async function showChangeset(all: readonly Card[]): Promise<void> {
    if (!inBrowser || all.filter(({ status }) => status === 'pending').length < 2) return
    const { createChangesetBar } = await import('./changeset-bar.ts')
    bar ??= createChangesetBar(context.app, context.signal)
    changeset.replaceChildren(bar.element)
    bar.show(shown?.cards ?? all)
  }

  function ending(answer: Answer): HTMLElement[] {
    if (answer.state === 'running') {
      return [el('p', { class: 'working' }, answer.note ?? (answer.text === '' ? 'Thinking …' : ''))]
    }
    const explained = explainEnd(answer)
    if (!explained) return []
    return [renderEnding(explained)]
  }

  function renderEnding({ tone, title, text: why, retry, settings }: Ending): HTMLElement {
    const again = el(
      'button',
      { class: 'button button-small', type: 'button', onclick: () => context.retry(turn) },
      icon('refresh'),
      'Retry',
    )
    const actions = [
      ...(retry && turn.question ? [again] : []),
      ...(settings ? [el('a', { class: 'button button-small', href: settings }, 'Settings')] : []),
    ]
    return el(
      'div',
      { class: ['ending', `ending-${tone}`] },
      el('p', {}, el('strong', {}, title), ' ', why),
      actions.length > 0 && el('div', { class: 'row' }, actions),
    )
  }
}

/** What the companion wanted to show, for the owner to open. */
function renderOffers(effects: readonly Effect[], app: App): HTMLElement[] {
  return effects.flatMap((effect) => {
    if (!('panel' in effect) || effect.type === 'closePanel' || effect.type === 'updateContent') return []
    const { panel } = effect
    const mark = effect.type === 'highlight' ? effect.text : undefined
    const href = hrefOfPanel(panel, app.state.get(), mark)
    if (href === null) return []
    return [el('a', { class: 'button button-small', href }, icon('arrowRight'), `Open “${panel.title}”`)]
  })
}

function question(text: string): HTMLElement {
  return el(
    'section',
    { class: 'said said-you' },
    el('h3', { class: 'said-label' }, 'You'),
    el('div', { class: 'said-text' }, text),
  )
}
