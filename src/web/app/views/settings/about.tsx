/**
 * The settings page `about`: the version, the address of links, and the key.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { LinkOrigin } from "./link_origin.tsx";
import { Group, Line, Waiting } from "./parts.tsx";

/** The page `about`. */
export function About() {
  const { settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.about(), []);
  const about = loaded.value;
  if (about === undefined) return <Waiting loaded={loaded} />;
  return (
    <>
      <Group>
        <Line name={settings.version} value={`strongroom ${about.version}`} />
        <Line name={settings.server} value={location.origin} />
        <p class="quiet small">{settings.source}</p>
      </Group>
      <LinkOrigin />
      <Group title={settings.fingerprint} why={settings.fingerprintWhy}>
        <code class="fingerprint" translate={false}>
          {about.fingerprint.replace(/(.{4})(?=.)/g, "$1 ")}
        </code>
      </Group>
    </>
  );
}
