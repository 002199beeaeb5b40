/// The script of the page: the pointer, a touch or the arrow keys show a chart's values.
///
/// It contains no `<` and `&`, so that the page is XML, too. Where scripts do not run, the tables have all values.
enum ReportScript {
    static let text = """
        for (const figure of document.querySelectorAll("figure.chart")) {
          const data = JSON.parse(figure.querySelector("script").textContent);
          const svg = figure.querySelector(".plot svg");
          const cursor = svg.querySelector(".cursor");
          const dots = [...svg.querySelectorAll(".dot")];
          const values = [...figure.querySelectorAll(".legend b")];
          const at = figure.querySelector(".at");
          let place = -1;
          const show = (index) => {
            place = index;
            svg.classList.toggle("is-read", index !== -1);
            at.textContent = index === -1 ? "" : data.at[index];
            if (index !== -1) cursor.setAttribute("transform", `translate(${data.x[index]} 0)`);
            data.series.forEach((series, number) => {
              const y = index === -1 ? null : series.y[index];
              values[number].textContent = index === -1 ? "" : series.text[index];
              dots[number].style.display = y === null ? "none" : "";
              if (y !== null) dots[number].setAttribute("transform", `translate(${data.x[index]} ${y})`);
            });
          };
          const nearest = (x) => data.x.reduce(
            (best, other, index) => Math.abs(data.x[best] - x) > Math.abs(other - x) ? index : best, 0);
          const follow = (event) => {
            const box = svg.getBoundingClientRect();
            if (data.x.length) show(nearest((event.clientX - box.left) / box.width * svg.viewBox.baseVal.width));
          };
          svg.addEventListener("pointermove", follow);
          svg.addEventListener("pointerdown", follow);
          svg.addEventListener("pointerleave", () => show(-1));
          svg.addEventListener("blur", () => show(-1));
          svg.addEventListener("keydown", (event) => {
            const last = data.x.length - 1;
            const to = { ArrowLeft: Math.max(0, place - 1), ArrowRight: Math.min(last, place + 1), Home: 0, End: last };
            if (event.key === "Escape") return show(-1);
            if (!(event.key in to) || last === -1) return;
            event.preventDefault();
            figure.querySelector(".reading").setAttribute("aria-live", "polite");
            show(to[event.key]);
          });
          show(-1);
        }
        """
}
