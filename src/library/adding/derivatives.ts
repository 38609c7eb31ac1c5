/**
 * Sealing derivatives, each under a key of its own.
 *
 * @module
 */
import { sha256Hex } from "../../crypto/sha256.ts";
import type { Derivative } from "../../client/documents/metadata.ts";
import { KEY_BYTES } from "../../client/documents/suite.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import type { LargeDerivative, NewDerivative } from "./upload_types.ts";
import { sealerOn } from "../base/platform.ts";
import { hashOn, type Part, sealPart } from "./sealed_part.ts";
import type { Vault } from "../vault/vault.ts";

/** A sealed derivative, and its entry in the metadata. */
interface SealedDerivative {
  readonly part: Part;
  readonly named: Derivative;
}

type Said = Pick<
  Derivative,
  "kind" | "mime" | "name" | "taken_at" | "width" | "height"
>;

/** What is said of a derivative, without its bytes and where they are. */
export function saidOf(
  { kind, mime, name, taken_at, width, height }: Said,
): Said {
  return {
    kind,
    mime,
    ...(name === undefined ? {} : { name }),
    ...(taken_at === undefined ? {} : { taken_at }),
    width,
    height,
  };
}

/** Seals derivatives, each under a new key. */
export async function sealDerivatives(
  { vault }: { readonly vault: Vault },
  derivatives: readonly (NewDerivative | LargeDerivative)[],
  signal?: AbortSignal,
): Promise<readonly SealedDerivative[]> {
  const { platform } = vault.session;
  const sealed: SealedDerivative[] = [];
  for (const one of derivatives) {
    const key = new Uint8Array(platform.random(KEY_BYTES));
    const source = "bytes" in one ? plainOf(one.bytes) : one.source;
    const options = signal === undefined ? {} : { signal };
    const sha256 = "bytes" in one
      ? sha256Hex(one.bytes)
      : await hashOn(platform, source, options);
    const part = await sealPart(
      source,
      { fileKey: key, sealer: sealerOn(platform) },
      sha256,
      options,
    );
    const { hash } = part;
    sealed.push({
      part,
      named: {
        ...saidOf(one),
        hash,
        key,
        size: source.size,
      },
    });
  }
  return sealed;
}
