/**
 * Links that lead to this app: those of cards and invitations of this server,
 * which people of other servers open here first, and those that another server
 * handed on.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { isLoopback, parseOrigin } from "../../../core/origin.ts";
import type { ContactCardShown } from "../../workers/abroad/abroad_cards.ts";
import { messages } from "../messages.ts";
import { Button, Notice } from "../parts/controls.tsx";
import { Field, Form } from "../parts/form.tsx";
import { goInstead, href, route } from "../routes.ts";
import { LinkOut } from "../screens/sharing/link_out.tsx";
import { Invitation } from "./accepting.tsx";
import { CardForm } from "./card_form.tsx";
import { Compare } from "./inviting.tsx";

/** A link of this server's: the way to the person's own one. */
export function LinkElsewhere() {
  const { abroad } = messages.value;
  const [kind = "", secret = ""] = route.value.path;
  const link = `${location.origin}/#/${kind}/${secret}`;
  const { host } = location;
  const [server, setServer] = useState("");
  const [fault, setFault] = useState<string>();
  const open = () => {
    const origin = originOf(server);
    if (origin === undefined) return setFault(abroad.badAddress);
    location.assign(`${origin}/#/for-you?${new URLSearchParams({ link })}`);
  };
  return (
    <div class="stack measure">
      <h1>{abroad.forYou}</h1>
      <p>
        {kind === "pickup"
          ? abroad.forYouPickup({ host })
          : abroad.forYouCard({ host })}
      </p>
      <Form class="stack" onSubmit={open}>
        <Field
          label={abroad.yourServer}
          value={server}
          required
          autocomplete="off"
          fault={fault}
          onInput={(value) => {
            setServer(value);
            setFault(undefined);
          }}
        />
        <div class="actions start">
          <Button kind="main" type="submit">{abroad.openThere}</Button>
        </div>
      </Form>
      <LinkOut url={link} title="" />
    </div>
  );
}

/** The origin of an address that a person typed; https if they do not say. */
function originOf(typed: string): string | undefined {
  const text = typed.trim().replace(/\/+$/, "");
  const origin = parseOrigin(/^https?:/.test(text) ? text : `https://${text}`);
  if (origin === undefined) return undefined;
  const { protocol, hostname } = new URL(origin);
  const isSafe = protocol === "https:" || isLoopback(hostname) ||
    location.protocol === "http:";
  return isSafe ? origin : undefined;
}

/** The views at `#/contact`, `#/pickup` and `#/for-you`. */
export function ForYou() {
  const { path: [first], query } = route.value;
  const link = query.get("link") ?? "";
  return (
    <div class="view narrow">
      {first === "for-you"
        ? <Given key={link} link={link} />
        : <LinkElsewhere />}
    </div>
  );
}

/** A card or an invitation that another server's page handed on. */
function Given({ link }: { readonly link: string }) {
  const { abroad, albums } = messages.value;
  const [contact, setContact] = useState<ContactCardShown>();
  if (link.includes("/#/pickup/")) {
    return (
      <div class="stack measure">
        <h1>{abroad.haveLink}</h1>
        <Invitation
          given={link}
          onAccepted={(id) => goInstead(href("abroad", id))}
        />
      </div>
    );
  }
  return (
    <div class="stack measure">
      <h1>{abroad.card}</h1>
      {contact === undefined
        ? (
          <CardForm
            given={link}
            onRead={({ contact }) => setContact(contact)}
          />
        )
        : (
          <Compare contact={contact} onCompared={() => {}}>
            <Notice kind="good">
              {abroad.kept({ name: contact.name ?? albums.somebody })}
            </Notice>
          </Compare>
        )}
    </div>
  );
}
