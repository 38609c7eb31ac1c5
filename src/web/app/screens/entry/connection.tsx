/**
 * The explanation of what plain http means here and how to get an encrypted
 * connection.
 *
 * @module
 */
import { isLoopback } from "../../../../core/origin.ts";
import { useLoaded } from "../../loaded.ts";
import { Icon } from "../../parts/icon.tsx";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";

/** The explanation on a page of its own. */
export function ConnectionPage() {
  const { common } = messages.value;
  return (
    <main class="reading-page">
      <a class="back" href="#/">
        <Icon name="back" /> {common.back}
      </a>
      <Connection />
    </main>
  );
}

/** The explanation; what changes the server is for who runs it. */
export function Connection() {
  const { connection: text } = messages.value;
  const profile = useLoaded(
    async () =>
      sessionState.value?.phase === "open"
        ? await vault().settings.profile()
        : undefined,
    [],
  ).value;
  const onlyHere = isLoopback(location.hostname);
  const host = onlyHere ? "photos.example.org" : location.hostname;
  // No certificate vouches for an address or a name of a home.
  const isPrivate = !host.includes(".") || host.startsWith("[") ||
    /^[\d.]+$|\.(local|lan|home\.arpa)$/.test(host);
  return (
    <article class="reading">
      {onlyHere ? <Reach /> : (
        <>
          <h1>{text.title}</h1>
          <p>{text.intro}</p>
          <h2>{text.canTitle}</h2>
          <ul class="bullets">
            {text.can.map((one) => <li key={one}>{one}</li>)}
          </ul>
          <h2>{text.cannotTitle}</h2>
          <ul class="bullets">
            {text.cannot.map((one) => <li key={one}>{one}</li>)}
          </ul>
        </>
      )}
      {onlyHere || profile?.is_operator === true
        ? <ForOperator host={host} isPrivate={isPrivate} />
        : <p>{text.ask}</p>}
    </article>
  );
}

/** What encrypts the connection. */
function ForOperator(
  { host, isPrivate }: { readonly host: string; readonly isPrivate: boolean },
) {
  const { connection: text } = messages.value;
  const base = `https://${host}`;
  return (
    <>
      <h2>{text.doTitle}</h2>
      <p>{text.doProxy}</p>
      <pre tabIndex={0}><code>{`${host} {${
        isPrivate ? "\n  tls internal" : ""
      }
  reverse_proxy 127.0.0.1:${location.port === "" ? "8470" : location.port}
}`}</code></pre>
      <p>{text.doBase}</p>
      <pre tabIndex={0}><code>{`STRONGROOM_BASE_URL=${base}
STRONGROOM_TRUSTED_PROXIES=127.0.0.1/32`}</code></pre>
      <p>{text.doFiles}</p>
      <pre tabIndex={0}><code>{`STRONGROOM_LISTEN=0.0.0.0:443
STRONGROOM_BASE_URL=${base}
STRONGROOM_TLS_CERT=/path/to/fullchain.pem
STRONGROOM_TLS_KEY=/path/to/privkey.pem`}</code></pre>
      <p class="quiet">{text.more}</p>
    </>
  );
}

/** How other devices reach a server that only this computer reaches. */
function Reach() {
  const { connection: text } = messages.value;
  const port = location.port || "8470";
  return (
    <>
      <h1>{text.reachTitle}</h1>
      <p>{text.reachIntro}</p>
      <p>{text.reachLan}</p>
      <pre tabIndex={0}><code>{`STRONGROOM_LISTEN=0.0.0.0:${port}
STRONGROOM_BASE_URL=http://192.168.1.20:${port}`}</code></pre>
      <p>{text.reachNext}</p>
    </>
  );
}
