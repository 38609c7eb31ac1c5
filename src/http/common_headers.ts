/**
 * The headers that every answer has (protocol/transport.md#handshake), also
 * where no operation can begin.
 *
 * @module
 */
import type { ProtocolWindow } from "../core/protocol.ts";
import type { HeaderDraft } from "./draft.ts";

/** What the headers of every answer say of the server. */
export interface CommonOptions {
  readonly minClientBuild: number;
  /** Whether clients connect over a TLS of this server's own. */
  readonly overTls: boolean;
}

/** Adds them; `window` is the one in force. */
export function addCommonHeaders(
  headers: HeaderDraft,
  window: ProtocolWindow,
  { minClientBuild, overTls }: CommonOptions,
): void {
  headers.set("X-Content-Type-Options", "nosniff");
  if (overTls) headers.set("Strict-Transport-Security", "max-age=31536000");
  headers.set("X-Service-Min-Client-Build", String(minClientBuild));
  headers.set("X-Service-Protocol-Min", window.min);
  headers.set("X-Service-Protocol-Max", window.max);
}
