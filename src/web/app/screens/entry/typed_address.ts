/**
 * The address that someone typed before sign-in, which goes along from signing
 * up to signing in and back. It is in no address of the browser's.
 *
 * @module
 */
import { signal } from "@preact/signals";

/** What is in the field for the address. */
export const typedAddress = signal("");
