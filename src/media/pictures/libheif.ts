/**
 * libheif (LGPL-3.0), unchanged and in a file of its own.
 *
 * @module
 */
// @ts-types="./libheif.d.ts"
import libheif from "libheif-js/libheif-wasm/libheif.js";

export { libheif };
