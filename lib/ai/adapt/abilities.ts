import type { ModelAbilities } from '../../contract/model.ts'
import type { RequestPart } from '../model.ts'
import type { WireName } from '../wires/wire.ts'

/** What a server was found to take; `null`: not known. */
export type Abilities = {
  /** Whether passages may be sent as blocks; otherwise they are sent as text. */
  blocks: boolean
  /** Whether it calls tools and reads their results. */
  tools: boolean | null
  /** Whether it calls several tools in one message. */
  several: boolean | null
  images: boolean | null
  /** Whether a tool may describe an argument in alternatives (`anyOf`); otherwise they are sent as one flat object. */
  unions: boolean | null
  /** Whether it thinks when it is told to; `false`: it refuses to be told. */
  thinks: boolean | null
  /** Whether it calls no tool when it is told to call none. */
  toolChoice: boolean | null
  /** Whether it finds the right tool in a list as long as a companion's. */
  manyTools: boolean | null
  countsTokens: boolean | null
  /** Parts of a request that it refused. */
  refused: readonly RequestPart[]
  /** The longest answer that it named in refusing a longer one, in tokens. */
  maxTokens: number | null
}

/** Of a provider that takes everything, and of a server that nobody has asked yet. */
export const allAbilities: Abilities = {
  ...{ blocks: true, tools: true, several: true, images: true, unions: true, thinks: true },
  ...{ toolChoice: true, manyTools: true, countsTokens: true, refused: [], maxTokens: null },
}
export const unknownAbilities: Abilities = {
  ...{ blocks: false, tools: null, several: null, images: null, unions: null, thinks: null },
  ...{ toolChoice: null, manyTools: null, countsTokens: null, refused: [], maxTokens: null },
}

/** Whether a level of thinking may be sent; `null`: nobody has tried. */
export function takesThinking({ thinks, refused }: Abilities, wire: WireName): boolean | null {
  const manners = wire === 'chat' ? (['effort'] as const) : (['adaptive', 'budget'] as const)
  return manners.every((manner) => refused.includes(manner)) ? false : thinks
}

export function toWireAbilities(abilities: Abilities, wire: WireName): ModelAbilities {
  const { blocks, tools, several, images, unions, toolChoice, manyTools, countsTokens, refused, maxTokens } =
    abilities
  return {
    sources: blocks ? 'blocks' : 'text',
    tools,
    several_tools: several,
    images,
    typed_drafts: unions,
    thinking: takesThinking(abilities, wire),
    tool_choice: toolChoice,
    many_tools: manyTools,
    caching: refused.includes('caching') ? false : wire === 'chat' || tools === null ? null : true,
    token_counts: countsTokens,
    max_tokens: maxTokens,
  }
}
