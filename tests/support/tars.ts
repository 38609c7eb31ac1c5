/**
 * Tars byte by byte, so that a test can write what no program would.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { Header, type HeaderData } from "tar/header";
import { Pax } from "tar/pax";
import { concatBytes } from "../../src/core/bytes.ts";

/** An entry for a tar. */
export interface TarFile extends Pick<HeaderData, "type" | "size"> {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Written by a pax header where that is needed. */
  readonly modifiedAt?: Date;
}

/** Makes a tar. */
export function tarOf(files: readonly TarFile[]): Uint8Array<ArrayBuffer> {
  const out: Uint8Array[] = [];
  for (const { name, bytes, modifiedAt, type = "File", size } of files) {
    const said = {
      path: name,
      size: size ?? bytes.length,
      mode: 0o644,
      type,
      ...(modifiedAt && { mtime: modifiedAt }),
    };
    const header = new Header(said);
    const block = Buffer.alloc(512);
    if (header.encode(block)) out.push(new Pax(said).encode());
    out.push(block, bytes, new Uint8Array(-bytes.length & 511));
  }
  return concatBytes(...out, new Uint8Array(1024));
}
