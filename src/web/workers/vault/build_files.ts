/**
 * Files of this build that threads fetch when they need them, such as models.
 *
 * @module
 */
import { browserFetch } from "../../browser.ts";

/** The address of a file of this build. */
export function buildFileAddress(name: string): string {
  return new URL(name, import.meta.url).href;
}

/** Fetches a file of this build. Throws if it cannot be had. */
export async function fetchBuildFile(name: string): Promise<Response> {
  const response = await browserFetch(buildFileAddress(name), {});
  if (!response.ok) throw new Error(`${name} cannot be fetched`);
  return response;
}

/** The bytes of a file of this build. Throws if it cannot be had. */
export async function readBuildFile(name: string): Promise<ArrayBuffer> {
  return await (await fetchBuildFile(name)).arrayBuffer();
}
