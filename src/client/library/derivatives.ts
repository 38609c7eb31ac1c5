/**
 * Sealing derivatives, each under a key of its own.
 *
 * @module
 */
import { sha256Hex } from "../../crypto/sha256.ts";
import { partKey } from "../file_key.ts";
import type { Derivative } from "../metadata.ts";
import { SALT_BYTES } from "../stream.ts";
import { plainOf } from "./held.ts";
import type { LargeDerivative, NewDerivative } from "./upload_types.ts";
import { primitivesOf, sealerOn } from "./platform.ts";
import { hashOn, type Part, sealPart } from "./sealed_part.ts";
import type { Vault } from "./vault.ts";

/** A sealed derivative, and its entry in the metadata. */
export interface SealedDerivative {
  readonly part: Part;
  readonly named: Derivative;
}

/** Seals derivatives as the parts of an asset from number `first` on. */
export async function sealDerivatives(
  { vault }: { readonly vault: Vault },
  fileKey: Uint8Array,
  derivatives: readonly (NewDerivative | LargeDerivative)[],
  first: number,
  signal?: AbortSignal,
): Promise<readonly SealedDerivative[]> {
  const { platform } = vault.session;
  const primitives = primitivesOf(platform);
  const sealed: SealedDerivative[] = [];
  for (const [i, one] of derivatives.entries()) {
    const index = first + i;
    const { kind, mime, width, height } = one;
    const source = "bytes" in one ? plainOf(one.bytes) : one.source;
    const options = signal === undefined ? {} : { signal };
    const sha256 = "bytes" in one
      ? sha256Hex(one.bytes)
      : await hashOn(platform, source, options);
    const part = await sealPart(
      source,
      {
        fileKey: partKey(fileKey, "derivative", index, primitives),
        sealer: sealerOn(platform),
      },
      new Uint8Array(platform.random(SALT_BYTES)),
      sha256,
      options,
    );
    const { hash } = part;
    sealed.push({
      part,
      named: {
        kind,
        mime,
        width,
        height,
        hash,
        part: index,
        size: source.size,
      },
    });
  }
  return sealed;
}
