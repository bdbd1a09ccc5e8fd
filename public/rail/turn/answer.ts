import { inBrowser } from '#platform'
import type { Card } from '../../../lib/contract/changes/card.ts'
import { productNames } from '../../../lib/contract/companion/product-names.ts'
import type { Citation } from '../../../lib/contract/events/events.ts'
import { type Place, placesOf } from '../../../lib/core/text/cited/citation-places.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { activeSubject } from '../../app/app.ts'
import { savedText } from '../../app/storage/saved-text.ts'
import type { ResearchSlots } from '../../features/research/answer-research.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { type MarkdownContext, renderMarkdown } from '../../ui/markdown/markdown.ts'
import type { Answer, Question, Turn } from '../state/turn-state.ts'
import { type Block, createBlockSplitter, markBlock } from './blocks.ts'
import type { ChangesetBar } from './changeset-bar.ts'
import { type Ending, explainEnd } from './explain-end.ts'
import { renderToolActivity } from './tool-activity.ts'
import { offersName, type TurnContext } from './turn-context.ts'

type AnswerPart = { element: HTMLElement; show(answer: Answer, turn: Turn): void }

/** Whether links were shown in place of moves before the page was loaded. */
const wasOffered = (turnId: string | null): boolean =>
  inBrowser && turnId !== null && savedText(offersName(turnId), sessionStorage).read() !== ''

/** The answer of the turn with that key: what it did, its text, its drafts, and how it ended. */
export function createAnswer(context: TurnContext, key: string): AnswerPart {
  const { app, slug, chips, part } = context
  let current: Answer | null = null
  const thinking = el('div', { class: 'slot' })
  const tools = el('div', { class: 'slot' })
  const controls = el('div', { class: 'slot' })
  const research: ResearchSlots = { line: tools, controls, key }
  const text = createAnswerText({ slug }, chips.toChip)
  const drafts = createAnswerDrafts(context)
  const links = el('div', { class: 'slot row' })
  const end = el('div', { class: 'slot' })
  const actions = el('div', { class: 'slot row' })
  const label = el('h3', { class: 'said-label' })
  const parts = [label, thinking, tools, text.element, controls, drafts.elements, links, end, actions]
  const element = el('section', { class: 'said said-companion' }, parts)

  return {
    element,
    show(answer, turn) {
      const companion = context.companion()
      const { id, name } = turn.author ?? companion
      label.replaceChildren(el('bdi', {}, answer.from ? productNames[answer.from] : name))
      element.setAttribute('data-guest', String(Boolean(answer.from) || id !== companion.id))
      if (answer.research[0]) showResearch(answer, turn.id)
      else if (
        answer.tools !== current?.tools ||
        answer.used !== current.used ||
        answer.memory !== current.memory ||
        answer.state !== current.state
      )
        showTools(answer)
      if (answer.text !== current?.text || answer.citations !== current?.citations)
        text.show(answer.text, answer.citations)
      if (answer.cards !== current?.cards) drafts.show(answer.cards)
      if (answer.offers !== current?.offers && (answer.offers[0] || wasOffered(turn.id)))
        showOffers(answer.offers, turn.id)
      // Research is resumed, not asked again.
      const onRetry = turn.question && !answer.research[0] ? () => retry(turn.question!) : null
      end.replaceChildren(...renderAnswerEnd(answer, onRetry))
      const isOther = answer.state !== current?.state || answer.edited !== current.edited
      if (answer.state !== 'running' && isOther) {
        showActions(answer, turn)
        linkAnswer(answer)
      }
      current = answer
      if (inBrowser && answer.thinking)
        import('./thinking.ts').then((part) => part.showThinking(thinking, current!))
    },
  }

  function retry({ text, files = [] }: Question): void {
    if (part) toastFailure(app, part.send(text, activeSubject(app.state.get()), { here: {}, files }))
  }

  async function showActions(answer: Answer, turn: Turn): Promise<void> {
    if (!inBrowser) return
    const { renderAnswerActions } = await import('./answer-actions.ts')
    actions.replaceChildren(...renderAnswerActions(context, answer, turn, element))
  }

  /** What its words name in the Space. */
  async function linkAnswer(answer: Answer): Promise<void> {
    if (!inBrowser) return
    if (!answer.citations[0] && !text.element.querySelector('.wikilink-missing, strong')) return
    const { linkNames } = await import('./link-names.ts')
    await linkNames(app, text.element, answer)
  }

  /** Its code comes with the first link, which most never see. */
  async function showOffers(offers: Answer['offers'], turnId: string | null): Promise<void> {
    const { readOffers, renderEffectLinks } = await import('./effect-links.ts')
    const savedOffers = turnId ? readOffers(turnId) : []
    links.replaceChildren(
      ...renderEffectLinks(savedOffers.length > offers.length ? savedOffers : offers, app),
    )
  }

  function showTools({ tools: calls, used, memory, state }: Answer): void {
    if (inBrowser && state === 'running' && calls[0]) {
      import('./tool-chips.ts').then(({ renderToolChips }) => {
        if (current?.tools === calls && current.state === state) tools.replaceChildren(renderToolChips(calls))
      })
      return
    }
    const open = 'querySelector' in tools ? (tools.querySelector('details')?.open ?? false) : false
    tools.replaceChildren(renderToolActivity(calls, used, { id: `tools-${key}`, open, memory }) ?? '')
  }

  /** Its code comes with the first answer that research is in. */
  async function showResearch(answer: Answer, turnId: string | null): Promise<void> {
    if (!inBrowser || answer === current) return
    const { show } = await import('../../features/research/answer-research.ts')
    show(context, research, answer, turnId)
  }
}

type AnswerText = {
  element: HTMLElement
  /** Shows the text so far. Blocks that have not changed keep their nodes. */
  show(text: string, citations: readonly Citation[]): void
}

type Cited = { citations: readonly Citation[]; places: readonly Place[] }

type RenderedBlock = { block: Block; citations: readonly Citation[]; marked: string; node: HTMLElement }

/** The text of an answer; `toChip` makes the node of a citation. */
function createAnswerText(context: MarkdownContext, toChip: (citation: Citation) => HTMLElement): AnswerText {
  const element = el('div', { class: 'answer-text' })
  let splitter = createBlockSplitter()
  let before = ''
  let rendered: RenderedBlock[] = []

  return {
    element,
    show(text, citations) {
      // A turn that is read again from its beginning starts over.
      if (!text.startsWith(before)) splitter = createBlockSplitter()
      before = text
      const places = placesOf(text, citations)
      const next = splitter
        .split(text)
        .filter((block) => block.text.trim() !== '')
        .map((block, index) => render(block, { citations, places }, rendered[index]))
      if (next.length !== rendered.length || next.some(({ node }, index) => node !== rendered[index]?.node))
        patch(next)
      rendered = next
    },
  }

  function render(block: Block, { citations, places }: Cited, old: RenderedBlock | undefined): RenderedBlock {
    if (old && old.block === block && old.citations === citations) return old
    const marked = markBlock(block, places)
    if (old && old.marked === marked) return { ...old, block, citations }
    const node = renderMarkdown(marked, context)
    if (inBrowser) placeChips(node, block, citations)
    return { block, citations, marked, node }
  }

  function placeChips(node: HTMLElement, { start }: Block, citations: readonly Citation[]): void {
    // Of one source several places may be cited, each with its words and whether those were found.
    const left = citations.filter(({ end }) => end > start).toSorted((a, b) => a.end - b.end)
    for (const mark of node.querySelectorAll<HTMLElement>('.cite[data-cite]')) {
      const at = left.findIndex(({ n }) => n === Number(mark.dataset.cite))
      const citation = left[at]
      if (!citation) continue
      left.splice(0, at + 1)
      // The chip stands in place of the number in the text.
      const before = mark.previousSibling
      if (before instanceof Text) before.data = before.data.replace(/(?: \[[WP]?\d{1,4}\])+ ?$/, '')
      mark.replaceWith(toChip(citation))
    }
  }

  function patch(next: readonly RenderedBlock[]): void {
    if (!inBrowser || rendered.length === 0) {
      element.replaceChildren(...next.map(({ node }) => node))
      return
    }
    for (const [index, { node }] of next.entries()) {
      const old = rendered[index]?.node
      if (old === node) continue
      if (old) old.replaceWith(node)
      else element.append(node)
    }
    for (const { node } of rendered.slice(next.length)) node.remove()
  }
}

/** The cards of the drafts that an answer made, and beneath several the bar for all of them. */
function createAnswerDrafts({ app, cards: renderer, signal }: TurnContext) {
  const list = el('div', { class: 'slot turn-cards' })
  const changeset = el('div', { class: 'slot' })
  const drawn = new Set<string>()
  let bar: ChangesetBar | null = null
  let latest: readonly Card[] = []

  return {
    elements: [list, changeset],
    show(cards: readonly Card[]): void {
      latest = cards
      showBar()
      // A card follows its draft itself, so it is never drawn again.
      for (const card of cards) {
        if (drawn.has(card.pending_change_id)) continue
        drawn.add(card.pending_change_id)
        list.append(renderer.render(card, { app, signal, now: app.now(), place: 'rail' }))
      }
    },
  }

  // Its code comes with the first answer that makes several drafts; there may be more by then.
  async function showBar(): Promise<void> {
    if (!inBrowser || latest.filter(({ status }) => status === 'pending').length < 2) return
    const { createChangesetBar } = await import('./changeset-bar.ts')
    bar ??= createChangesetBar(app, signal)
    changeset.replaceChildren(bar.element)
    bar.show(latest)
  }
}

/** The status of a running answer, and how it ended where that has to be explained. `onRetry`: null without a question. */
function renderAnswerEnd(answer: Answer, onRetry: (() => void) | null): HTMLElement[] {
  if (answer.state === 'running')
    return [el('p', { class: 'working' }, answer.note ?? (answer.text || answer.thinks ? '' : 'Thinking…'))]
  const ending = explainEnd(answer)
  return ending ? [renderEnding(ending, onRetry)] : []
}

function renderEnding(
  { tone, title, text, retry, settings }: Ending,
  onRetry: (() => void) | null,
): HTMLElement {
  const actions = [
    retry &&
      onRetry &&
      el(
        'button',
        { class: 'button button-small', type: 'button', onclick: onRetry },
        icon('refresh'),
        'Retry',
      ),
    settings !== '' && el('a', { class: 'button button-small', href: settings }, 'Settings'),
  ]
  return el(
    'div',
    { class: ['ending', `ending-${tone}`] },
    el('p', {}, el('strong', {}, title), ' ', text),
    actions.some(Boolean) && el('div', { class: 'row' }, actions),
  )
}
