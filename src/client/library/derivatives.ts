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
import type { NewDerivative } from "./upload_types.ts";
import { primitivesOf, sealerOn } from "./platform.ts";
import { type Part, sealPart } from "./sealed_part.ts";
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
  derivatives: readonly NewDerivative[],
  first: number,
): Promise<readonly SealedDerivative[]> {
  const { platform } = vault.session;
  const primitives = primitivesOf(platform);
  const sealed: SealedDerivative[] = [];
  for (const [i, { bytes, ...of }] of derivatives.entries()) {
    const index = first + i;
    const part = await sealPart(
      plainOf(bytes),
      {
        fileKey: partKey(fileKey, "derivative", index, primitives),
        sealer: sealerOn(platform),
      },
      new Uint8Array(platform.random(SALT_BYTES)),
      sha256Hex(bytes),
    );
    const { hash } = part;
    sealed.push({
      part,
      named: { ...of, hash, part: index, size: bytes.length },
    });
  }
  return sealed;
}
