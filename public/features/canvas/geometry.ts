// Where the cards and arrows of a canvas lie: all numbers are pixels of the canvas, from its own top left corner.

import type { CanvasCard, CanvasEdge, CanvasSide } from '../../../lib/core/text/canvas.ts'

export type Board = { width: number; height: number; left: number; top: number }

/** Around the outermost cards. */
const margin = 48

/** Sides of a canvas beyond which a browser draws no more. */
const maxSide = 60_000

/** The rectangle that holds all cards. */
export function boardOf(cards: readonly CanvasCard[]): Board {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const { x, y, width, height } of cards) {
    box.left = Math.min(box.left, x)
    box.top = Math.min(box.top, y)
    box.right = Math.max(box.right, x + width)
    box.bottom = Math.max(box.bottom, y + height)
  }
  if (cards.length === 0) return { width: 0, height: 0, left: 0, top: 0 }
  const sideOf = (length: number) => Math.min(maxSide, Math.max(0, length) + 2 * margin)
  return {
    left: box.left - margin,
    top: box.top - margin,
    width: sideOf(box.right - box.left),
    height: sideOf(box.bottom - box.top),
  }
}

type Point = { x: number; y: number; side: CanvasSide }

export type EdgeShape = {
  /** Data of an SVG path. */
  line: string
  /** Those of its arrows, one for each end that has one. */
  arrows: string[]
  /** The middle of the line, for its label. */
  middle: { x: number; y: number }
}

/** The line of an edge, between the sides that it names or those that face each other; null without both cards. */
export function shapeOf(
  edge: CanvasEdge,
  cards: ReadonlyMap<string, CanvasCard>,
  board: Board,
): EdgeShape | null {
  const [from, to] = [cards.get(edge.fromNode), cards.get(edge.toNode)]
  if (!from || !to) return null
  const start = pointOn(from, edge.fromSide ?? facing(from, to), board)
  const end = pointOn(to, edge.toSide ?? facing(to, from), board)
  const pull = Math.max(32, Math.min(200, Math.hypot(end.x - start.x, end.y - start.y) / 2))
  const [one, two] = [pulled(start, pull), pulled(end, pull)]
  return {
    line: `M${at(start)}C${at(one)} ${at(two)} ${at(end)}`,
    arrows: [...(edge.fromArrow ? [arrowAt(start)] : []), ...(edge.toArrow ? [arrowAt(end)] : [])],
    middle: {
      x: (start.x + 3 * one.x + 3 * two.x + end.x) / 8,
      y: (start.y + 3 * one.y + 3 * two.y + end.y) / 8,
    },
  }
}

const steps: Record<CanvasSide, readonly [number, number]> = {
  top: [0, -1],
  right: [1, 0],
  bottom: [0, 1],
  left: [-1, 0],
}

function pointOn({ x, y, width, height }: CanvasCard, side: CanvasSide, { left, top }: Board): Point {
  const [across, down] = steps[side]
  return { x: x - left + (width * (1 + across)) / 2, y: y - top + (height * (1 + down)) / 2, side }
}

function facing(from: CanvasCard, to: CanvasCard): CanvasSide {
  const across = to.x + to.width / 2 - (from.x + from.width / 2)
  const down = to.y + to.height / 2 - (from.y + from.height / 2)
  if (Math.abs(across) > Math.abs(down)) return across > 0 ? 'right' : 'left'
  return down > 0 ? 'bottom' : 'top'
}

function pulled({ x, y, side }: Point, length: number) {
  const [across, down] = steps[side]
  return { x: x + across * length, y: y + down * length }
}

/** A triangle that points at the card. */
function arrowAt(point: Point): string {
  const [across, down] = steps[point.side]
  const corner = (sign: number) => ({
    x: point.x + across * 12 + down * sign * 6,
    y: point.y + down * 12 + across * sign * 6,
  })
  return `M${at(point)}L${at(corner(1))}L${at(corner(-1))}Z`
}

const at = ({ x, y }: { x: number; y: number }) => `${Math.round(x)} ${Math.round(y)}`

/** The presets of the format, and the hues of the colours that the interface has. */
const presets: Record<string, string> = {
  1: 'pink',
  2: 'rust',
  3: 'gold',
  4: 'moss',
  5: 'teal',
  6: 'violet',
}
const hues: readonly (readonly [number, string])[] = [
  [0, 'pink'],
  [25, 'rust'],
  [50, 'gold'],
  [110, 'moss'],
  [180, 'teal'],
  [225, 'blue'],
  [270, 'violet'],
  [330, 'pink'],
  [360, 'pink'],
]

/** The interface's colour nearest to one of a canvas, so that it can be read in both themes; null for none. */
export function colorOf(color: string | null): string | null {
  if (color === null) return null
  const digits = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color)
  if (!digits) return presets[color] ?? null
  const [red = 0, green = 0, blue = 0] = digits.slice(1).map((each) => Number.parseInt(each, 16))
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const range = most - least
  if (range < 24) return 'gray'
  const sector =
    most === red
      ? (green - blue) / range
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4
  const hue = (sector * 60 + 360) % 360
  const away = ([place]: readonly [number, string]) => Math.abs(place - hue)
  return hues.reduce((best, next) => (away(next) < away(best) ? next : best))[1]
}
