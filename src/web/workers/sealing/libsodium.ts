/**
 * libsodium (ISC), unchanged and in a file of its own.
 *
 * @module
 */
// @ts-types="./libsodium.d.ts"
import libsodium from "libsodium";

export { libsodium };
