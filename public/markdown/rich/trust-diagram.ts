import DOMPurify from 'dompurify'

const drawingTags = 'svg g path rect circle ellipse line polyline polygon text tspan defs marker title'
const drawingAttributes =
  'viewbox width height x y x1 y1 x2 y2 cx cy r rx ry d points dx dy transform fill fill-opacity stroke stroke-width ' +
  'stroke-dasharray stroke-linecap stroke-linejoin opacity font-size font-weight font-style text-anchor ' +
  'dominant-baseline text-decoration class id refx refy markerwidth markerheight orient marker-start marker-end'
const allowedInDrawing = {
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_TRUSTED_TYPE: true as const,
  ALLOWED_TAGS: drawingTags.split(' '),
  ALLOWED_ATTR: drawingAttributes.split(' '),
}

let drawings = 0

/** A drawing that was made from foreign text, cleaned like markup. It refers to nothing but its own arrow heads. */
export function trustDiagram(drawing: string): string {
  drawings += 1
  const own = `text-diagram-${drawings}-`
  const named = drawing
    .replace(/<marker id="/g, `$&${own}`)
    .replace(/(marker-(?:start|end)="url\(#)/g, `$1${own}`)
    .replace(/\burl\((?!#text-diagram-)/gi, '(')
  return DOMPurify.sanitize(named, allowedInDrawing) as unknown as string
}
