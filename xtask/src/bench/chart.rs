//! The times as a chart: bars per message, on a logarithmic scale, with a line where the hand-written struct is.

use std::fmt::Write as _;

use super::table::{LIMIT, OUTER, Row, Table, What};

/// Told apart by people who see colours differently as well, on white and on black.
const COLOURS: [&str; 6] = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#8c8c8c", "#b8860b"];

const WIDTH: f64 = 970.0;
/// Where the bars begin and end; names stand to the left of them, figures to the right.
const LEFT: f64 = 375.0;
const RIGHT: f64 = 905.0;
const TOP: f64 = 62.0;
const BAR: f64 = 10.0;
const GAP: f64 = 12.0;

/// Of each message the first order: the others hardly look different, and all figures are in the tables.
pub fn svg(table: &Table, what: What) -> String {
    let mut rows: Vec<&Row> = Vec::new();
    for row in table.ways(what) {
        if rows.iter().all(|other| other.case.subject != row.case.subject) {
            rows.push(row);
        }
    }
    let is_bar = |name: &&str| *name != LIMIT && !OUTER.contains(name);
    let contenders: Vec<&str> = table.contenders().into_iter().filter(is_bar).collect();
    let scale = Scale::of(&rows, &contenders);
    let group = contenders.len() as f64 * BAR + GAP;
    let bottom = TOP + rows.len() as f64 * group;
    let title = match what {
        What::Parse => "Parse: time as a multiple of the hand-written struct, less is better",
        What::Write => "Serialise: time as a multiple of the hand-written struct, less is better",
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n\
         <style>\n\
         text {{ font: 12px system-ui, sans-serif; fill: #24292f }}\n\
         .small {{ font-size: 9px }}\n\
         .title {{ font-size: 14px; font-weight: 600 }}\n\
         .grid {{ stroke: #8c959f; stroke-opacity: 0.35 }}\n\
         .limit {{ stroke: #24292f; stroke-width: 1.5 }}\n\
         @media (prefers-color-scheme: dark) {{ text {{ fill: #e6edf3 }} .limit {{ stroke: #e6edf3 }} }}\n\
         </style>\n\
         <text class=\"title\" x=\"12\" y=\"20\">{title}</text>\n",
        height = bottom + 24.0,
    );
    legend(&mut svg, &contenders);
    for tick in scale.ticks() {
        let (x, class) = (scale.x(tick), if tick == 1.0 { "limit" } else { "grid" });
        let _ = writeln!(svg, "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom:.1}\"/>");
        let _ = writeln!(
            svg,
            "<text class=\"small\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{tick} ×</text>",
            bottom + 14.0
        );
    }
    for (index, row) in rows.iter().enumerate() {
        let y = TOP + index as f64 * group + GAP / 2.0;
        let middle = y + (group - GAP) / 2.0 + 4.0;
        let _ = writeln!(
            svg,
            "<text text-anchor=\"end\" x=\"{:.1}\" y=\"{middle:.1}\">{}</text>",
            LEFT - 10.0,
            escaped(&row.case.subject)
        );
        for (place, contender) in contenders.iter().enumerate() {
            bar(&mut svg, &scale, row, contender, place, y + place as f64 * BAR);
        }
    }
    svg + "</svg>\n"
}

fn bar(svg: &mut String, scale: &Scale, row: &Row, contender: &str, place: usize, y: f64) {
    let base = y + BAR - 2.0;
    let Some(ratio) = row.ratio(contender) else {
        let _ = writeln!(
            svg,
            "<text class=\"small\" x=\"{:.1}\" y=\"{base:.1}\">does not read it: {}</text>",
            LEFT + 3.0,
            escaped(contender)
        );
        return;
    };
    let (colour, end) = (COLOURS.get(place % COLOURS.len()).unwrap_or(&"#888888"), scale.x(ratio));
    let loses = row.entries.iter().any(|entry| entry.contender == contender && entry.is_lossless == Some(false));
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"><title>{}: {ratio:.2}</title></rect>\n\
         <text class=\"small\" x=\"{:.1}\" y=\"{base:.1}\">{ratio:.2}{}</text>",
        (end - LEFT).max(1.0),
        BAR - 1.0,
        escaped(contender),
        end + 3.0,
        if loses { " changes data" } else { "" },
    );
}

fn legend(svg: &mut String, contenders: &[&str]) {
    let mut x = 12.0;
    for (place, contender) in contenders.iter().enumerate() {
        let colour = COLOURS.get(place % COLOURS.len()).unwrap_or(&"#888888");
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"34\" width=\"12\" height=\"12\" fill=\"{colour}\"/><text x=\"{}\" y=\"44\">{}</text>",
            x + 17.0,
            escaped(contender)
        );
        x += 40.0 + contender.chars().count() as f64 * 7.0;
    }
}

/// Doublings are equally far apart.
struct Scale {
    least: i32,
    most: i32,
}

impl Scale {
    /// From the power of two below everything, and below one half at least, to the one above.
    fn of(rows: &[&Row], contenders: &[&str]) -> Self {
        let ratios = rows.iter().flat_map(|row| contenders.iter().filter_map(|name| row.ratio(name)));
        let exponents: Vec<f64> = ratios.filter(|ratio| *ratio > 0.0).map(f64::log2).collect();
        let least = exponents.iter().copied().fold(-1.0, f64::min).floor();
        let most = exponents.iter().copied().fold(1.0, f64::max).ceil();
        Self { least: least as i32, most: most as i32 }
    }

    fn x(&self, ratio: f64) -> f64 {
        let place = (ratio.max(f64::MIN_POSITIVE).log2() - f64::from(self.least)) / f64::from(self.most - self.least);
        LEFT + place.clamp(0.0, 1.0) * (RIGHT - LEFT)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        (self.least..=self.most).map(|exponent| 2f64.powi(exponent))
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
