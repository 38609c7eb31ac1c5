/**
 * A boundary around one entry of a list: if it cannot be drawn, it alone is
 * shown as broken, and the others stay.
 *
 * @module
 */
import { Component, type ComponentChildren } from "preact";

interface BoundaryProps {
  readonly children: ComponentChildren;
  /** Drawn instead of children that throw. */
  readonly broken: () => ComponentChildren;
}

/** Draws its children, or what stands for them if they throw. */
export class Boundary extends Component<BoundaryProps, { failed?: true }> {
  static override getDerivedStateFromError(): { failed: true } {
    return { failed: true };
  }

  override render({ children, broken }: BoundaryProps): ComponentChildren {
    return this.state.failed ? broken() : children;
  }
}
