// A drawing board as JSON Canvas has it (https://jsoncanvas.org/spec/1.0/). What is no card or edge of it is left out, such as
// additions by later versions.

import { readBoundedJson } from './bounds.ts'

type Place = { id: string; x: number; y: number; width: number; height: number; color: string | null }

export type CanvasCard = Place &
  (
    | { type: 'text'; text: string }
    | { type: 'file'; file: string; subpath: string }
    | { type: 'link'; url: string }
    | { type: 'group'; label: string }
  )

export type CanvasSide = 'top' | 'right' | 'bottom' | 'left'

/** `null` for a side that the file leaves to the program that draws. */
export type CanvasEdge = {
  fromNode: string
  toNode: string
  fromSide: CanvasSide | null
  toSide: CanvasSide | null
  label: string
  color: string | null
  /** Which of its ends are arrows. */
  fromArrow: boolean
  toArrow: boolean
}

export type Canvas = { cards: CanvasCard[]; edges: CanvasEdge[] }

const bounds = { depth: 20, values: 400_000 }

/** The cards and edges of a file; an empty one has none. `null`: it is no canvas. */
export function readCanvas(text: string): Canvas | null {
  const value = text.trim() === '' ? {} : readBoundedJson(text, bounds)
  if (!isRecord(value)) return null
  const { nodes = [], edges = [] } = value
  if (!Array.isArray(nodes) || !Array.isArray(edges)) return null
  return {
    cards: nodes.flatMap((node) => (isRecord(node) ? (readCard(node) ?? []) : [])),
    edges: edges.flatMap((edge) => (isRecord(edge) ? (readEdge(edge) ?? []) : [])),
  }
}

type Fields = Record<string, unknown>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value)

const textOr = <Other>(value: unknown, other: Other) => (typeof value === 'string' ? value : other)

function readCard(node: Fields): CanvasCard | null {
  const { id } = node
  const [x, y, width, height] = [node.x, node.y, node.width, node.height].filter(isFiniteNumber)
  if (
    typeof id !== 'string' ||
    x === undefined ||
    y === undefined ||
    width === undefined ||
    height === undefined
  )
    return null
  const place = { id, x, y, width, height, color: textOr(node.color, null) }
  if (node.type === 'text' && typeof node.text === 'string')
    return { ...place, type: 'text', text: node.text }
  if (node.type === 'file' && typeof node.file === 'string')
    return { ...place, type: 'file', file: node.file, subpath: textOr(node.subpath, '') }
  if (node.type === 'link' && typeof node.url === 'string') return { ...place, type: 'link', url: node.url }
  return node.type === 'group' ? { ...place, type: 'group', label: textOr(node.label, '') } : null
}

function readEdge(edge: Fields): CanvasEdge | null {
  const { fromNode, toNode } = edge
  if (typeof fromNode !== 'string' || typeof toNode !== 'string') return null
  return {
    fromNode,
    toNode,
    fromSide: sideOf(edge.fromSide),
    toSide: sideOf(edge.toSide),
    label: textOr(edge.label, ''),
    color: textOr(edge.color, null),
    fromArrow: edge.fromEnd === 'arrow',
    toArrow: edge.toEnd !== 'none',
  }
}

const sides: readonly CanvasSide[] = ['top', 'right', 'bottom', 'left']

const sideOf = (value: unknown): CanvasSide | null => sides.find((side) => side === value) ?? null
