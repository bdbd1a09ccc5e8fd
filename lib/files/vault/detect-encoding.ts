// Finds out which encoding bytes are in that are not UTF-8: Firefox's detector (https://github.com/hsivonen/chardetng),
// as WebAssembly. Its labels are those of `TextDecoder`.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Bytes that are looked at, from the first that is no ASCII. */
const sampleBytes = 64 * 1024

/** The likeliest encoding of a text that is not UTF-8, as a label of `TextDecoder`. */
export function detectEncoding(bytes: Uint8Array): string {
  if (isIso2022Jp(bytes)) return 'iso-2022-jp'
  const start = Math.max(0, bytes.findIndex((byte) => byte >= 0x80) - 100)
  const label = guess(bytes.subarray(start, start + sampleBytes)).toLowerCase()
  return label === 'utf-8' ? 'windows-1252' : label
}

const escapeByte = 0x1b

/** True for Japanese in seven bits, which is valid UTF-8, too: it begins with the escape to one of its character sets. */
export function isIso2022Jp(bytes: Uint8Array): boolean {
  const at = bytes.indexOf(escapeByte)
  if (at < 0 || bytes.subarray(0, sampleBytes).some((byte) => byte >= 0x80)) return false
  return /^(?:\$[@B]|\([JI])/.test(String.fromCharCode(...bytes.subarray(at + 1, at + 3)))
}

/** What `wasm-bindgen` exports: pointers and lengths are numbers. */
type Detector = {
  memory: { readonly buffer: ArrayBuffer }
  encodingdetector_new(): number
  encodingdetector_feed(detector: number, bytes: number, length: number, isLast: number): number
  encodingdetector_guess(into: number, detector: number, domain: number, length: number, utf8: number): void
  __wbg_encodingdetector_free(detector: number): void
  __wbindgen_malloc(length: number): number
  __wbindgen_free(pointer: number, length: number): void
  __wbindgen_add_to_stack_pointer(by: number): number
}

let loaded: Detector | null = null

function guess(bytes: Uint8Array): string {
  loaded ??= load()
  const { memory } = loaded
  const detector = loaded.encodingdetector_new()
  const result = loaded.__wbindgen_add_to_stack_pointer(-16)
  try {
    const copy = loaded.__wbindgen_malloc(bytes.length)
    new Uint8Array(memory.buffer).set(bytes, copy)
    // The detector frees the copy.
    loaded.encodingdetector_feed(detector, copy, bytes.length, 1)
    loaded.encodingdetector_guess(result, detector, 0, 0, 0)
    const view = new DataView(memory.buffer)
    const [label, length] = [view.getInt32(result, true), view.getInt32(result + 4, true)]
    const name = Buffer.from(memory.buffer, label, length).toString('latin1')
    loaded.__wbindgen_free(label, length)
    return name
  } finally {
    loaded.__wbindgen_add_to_stack_pointer(16)
    loaded.__wbg_encodingdetector_free(detector)
  }
}

/** TypeScript has the types of this among those of browsers. */
type Assembly = {
  Module: new (bytes: Uint8Array) => object
  Instance: new (program: object, imports: object) => { exports: object }
}

function load(): Detector {
  const assembly = Reflect.get(globalThis, 'WebAssembly') as unknown as Assembly
  const file = fileURLToPath(import.meta.resolve('chardetng-wasm/dist/chardetng_wasm_bg.wasm'))
  const program = new assembly.Module(readFileSync(file))
  const fail = (): never => {
    throw new Error('The detector of encodings failed.')
  }
  const { exports } = new assembly.Instance(program, {
    './chardetng_wasm_bg.js': { __wbindgen_throw: fail },
  })
  return exports as unknown as Detector
}
