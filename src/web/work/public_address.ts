/**
 * The address under which others reach the server, for links and codes that
 * leave this computer. The server publishes it; by default it is the address
 * that it listens on.
 *
 * @module
 */
import { publicOrigin } from "../app/connection.ts";
import type { VaultContext } from "./context.ts";

/** Makes a function that puts a link of this server under its public origin. */
export async function publicLinks(
  context: VaultContext,
): Promise<(link: string) => string> {
  const { server } = context;
  const origin = await originOf(context);
  return (link) =>
    link.startsWith(`${server}/`) ? origin + link.slice(server.length) : link;
}

const told = new WeakMap<VaultContext, string>();

async function originOf(context: VaultContext): Promise<string> {
  const { server } = context;
  const known = told.get(context);
  if (known !== undefined) return known;
  try {
    const { api_base_url } = await context.signedIn().client.serverInfo();
    const origin = publicOrigin(server, api_base_url);
    told.set(context, origin);
    return origin;
  } catch {
    // Without an answer, the address of this page is as good as any.
    return server;
  }
}
